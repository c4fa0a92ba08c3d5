import { Label } from "@patternfly/react-core";
import { Table, Tbody, Td, Th, Thead, Tr } from "@patternfly/react-table";
import type { Comparison } from "../../api/types";
import { formatFigure } from "../../components/format";
import { Mono } from "../../components/Mono";
import { VerdictLabel } from "../../components/StateLabel";
import { byMetric, cellName, formatRatio, scaleOf } from "./figures";

const COLUMNS = 7;

export function ComparisonTable({ comparisons }: { comparisons: Comparison[] }) {
  return byMetric(comparisons).map(({ unit, rows }) => (
    <MetricTable key={unit} unit={unit} rows={rows} />
  ));
}

function MetricTable({ unit, rows }: { unit: string; rows: Comparison[] }) {
  const scale = scaleOf(unit);
  return (
    <Table variant="compact" aria-label={`Comparisons in ${scale.unit}`} gridBreakPoint="grid-lg">
      <Thead>
        <Tr>
          <Th modifier="wrap">Measured</Th>
          <Th modifier="wrap" className="kr-number">
            Software, {scale.unit}
          </Th>
          <Th modifier="wrap" className="kr-number">
            Accelerated, {scale.unit}
          </Th>
          <Th modifier="wrap" className="kr-number">
            Ratio
          </Th>
          <Th modifier="wrap" className="kr-number">
            95 % interval
          </Th>
          <Th modifier="wrap" className="kr-number">
            Pairs
          </Th>
          <Th modifier="wrap">Verdict</Th>
        </Tr>
      </Thead>
      {rows.map((row) => (
        <ComparisonRows key={row.cell} row={row} />
      ))}
    </Table>
  );
}

/** The figures of one cell, and under them the same in a sentence. */
function ComparisonRows({ row }: { row: Comparison }) {
  const scale = scaleOf(row.unit);
  const figure = (value: number | undefined) =>
    value === undefined ? "" : formatFigure(value * scale.factor);
  return (
    <Tbody className="kr-noted">
      <Tr>
        <Td dataLabel="Measured" modifier="nowrap">
          <Mono>{cellName(row)}</Mono>{" "}
          {row.is_negative_control && (
            <Label isCompact variant="outline">
              negative control
            </Label>
          )}
        </Td>
        <Td dataLabel={`Software, ${scale.unit}`} className="kr-number">
          {figure(row.software.median)}
        </Td>
        <Td dataLabel={`Accelerated, ${scale.unit}`} className="kr-number">
          {figure(row.accelerated.median)}
        </Td>
        <Td dataLabel="Ratio" className="kr-number">
          {formatRatio(row.ratio)}
        </Td>
        <Td dataLabel="95 % interval" className="kr-number" modifier="nowrap">
          {row.low !== null && row.high !== null
            ? `${formatRatio(row.low)}–${formatRatio(row.high)}`
            : ""}
        </Td>
        <Td dataLabel="Pairs" className="kr-number">
          {row.pairs}
        </Td>
        <Td dataLabel="Verdict" modifier="nowrap">
          <VerdictLabel verdict={row.verdict} />
        </Td>
      </Tr>
      <Tr>
        <Td colSpan={COLUMNS} className="kr-subtle">
          {row.sentence}
        </Td>
      </Tr>
    </Tbody>
  );
}
