import type { VirtualItem } from "@tanstack/react-virtual";
import { memo } from "react";
import type { MatrixDomain, MatrixUnit } from "../../api/types";
import { cellMark, type Mark, MARK_SIGNS } from "./marks";
import { columnStyle } from "./MatrixHead";
import { NAME_PIXELS, ROW_PIXELS } from "./metrics";

interface Props {
  unit: MatrixUnit;
  domains: MatrixDomain[];
  columns: VirtualItem[];
  row: number;
  top: number;
  /** Who has it, as drafted. */
  owner: string;
  trends: Record<string, "more" | "fewer">;
  conflict: string | undefined;
  isCounted: boolean;
  /** -1: none in this row. */
  activeColumn: number;
}

/** One unit and which domain has it. Drawn again only when something in it changed. */
export const UnitRow = memo(function UnitRow(props: Props) {
  const { unit, domains, columns, row, top, activeColumn } = props;
  return (
    <div
      role="row"
      aria-rowindex={row + 1}
      className="kr-grid-row"
      style={{ top, height: ROW_PIXELS }}
    >
      <div
        role="rowheader"
        aria-colindex={1}
        className="kr-grid-name"
        style={{ width: NAME_PIXELS }}
        data-place={`${String(row)}:0`}
        tabIndex={activeColumn === 0 ? 0 : -1}
        title={unit.name}
      >
        <UnitLabel unit={unit} />
      </div>
      {columns.map(({ index, start }) => {
        const domain = domains[index];
        if (domain === undefined) return null;
        const mark = cellMark({ ...props, domain });
        return (
          <div
            key={domain.key}
            role="gridcell"
            aria-colindex={index + 2}
            aria-label={mark.label}
            title={mark.label}
            className={cellClass(mark, props.isCounted)}
            style={columnStyle(start)}
            data-place={`${String(row)}:${String(index + 1)}`}
            tabIndex={activeColumn === index + 1 ? 0 : -1}
          >
            <span aria-hidden>{MARK_SIGNS[mark.kind]}</span>
          </div>
        );
      })}
    </div>
  );
});

function UnitLabel({ unit }: { unit: MatrixUnit }) {
  if (unit.core === null) return <span className="kr-mono">{unit.name || unit.key}</span>;
  const strands = ranges(unit.cpuset);
  return (
    <span>
      core <span className="kr-mono">{unit.core}</span>
      {strands !== "" && <span className="kr-subtle"> · CPUs {strands}</span>}
    </span>
  );
}

/** `0–7` of 0, 1, … 7. */
export function ranges(cpuset: string[]): string {
  const first = cpuset[0];
  const last = cpuset.at(-1);
  if (first === undefined || last === undefined) return "";
  const isWhole = Number(last) - Number(first) === cpuset.length - 1;
  return isWhole && cpuset.length > 1 ? `${first}–${last}` : cpuset.join(", ");
}

function cellClass(mark: Mark, isCounted: boolean): string {
  return [
    "kr-grid-cell kr-grid-mark",
    isCounted ? "" : "kr-grid-toggle",
    mark.isPending ? "kr-grid-pending" : "",
    mark.isWrong ? "kr-grid-wrong" : "",
  ]
    .filter(Boolean)
    .join(" ");
}
