import { Card, CardBody, CardTitle, Content } from "@patternfly/react-core";
import { Table, Tbody, Td, Th, Thead, Tr } from "@patternfly/react-table";
import type { Comparison, Figures } from "../../api/types";
import { formatFigure } from "../../components/format";
import { Mono } from "../../components/Mono";
import { cellName, formatChange } from "./figures";

const SPLIT = [
  ["user", "User, %"],
  ["system", "System, %"],
  ["idle", "Idle, %"],
  ["steal", "Steal, %"],
] as const;

/** What the work cost in CPU time, and what the whole host's processors did meanwhile. */
export function CpuTable({ comparisons }: { comparisons: Comparison[] }) {
  return (
    <Card>
      <CardTitle component="h2">CPU</CardTitle>
      <CardBody>
        <Content component="p" className="kr-subtle">
          CPU time is user and system time of the measuring processes. The split is of all the
          host’s processors while it measured.
        </Content>
        <Table variant="compact" aria-label="CPU cost and split" gridBreakPoint="grid-lg">
          <Thead>
            <Tr>
              <Th modifier="wrap">Measured</Th>
              <Th modifier="wrap">Variant</Th>
              <Th modifier="wrap" className="kr-number">
                CPU time, ms
              </Th>
              <Th modifier="wrap">per</Th>
              <Th modifier="wrap" className="kr-number">
                Change
              </Th>
              {SPLIT.map(([key, title]) => (
                <Th modifier="wrap" key={key} className="kr-number">
                  {title}
                </Th>
              ))}
            </Tr>
          </Thead>
          <Tbody>
            {comparisons.flatMap((row) => [
              <CpuRow key={`${row.cell} s`} row={row} variant="software" figures={row.software} />,
              <CpuRow
                key={`${row.cell} a`}
                row={row}
                variant="accelerated"
                figures={row.accelerated}
                change={formatChange(row.cpu_change_percent)}
              />,
            ])}
          </Tbody>
        </Table>
      </CardBody>
    </Card>
  );
}

interface RowProps {
  row: Comparison;
  variant: string;
  figures: Figures;
  change?: string;
}

function CpuRow({ row, variant, figures, change = "" }: RowProps) {
  const seconds = figures.cpu_seconds_per_unit;
  return (
    <Tr>
      <Td dataLabel="Measured">
        <Mono>{cellName(row)}</Mono>
      </Td>
      <Td dataLabel="Variant">{variant}</Td>
      <Td dataLabel="CPU time, ms" className="kr-number">
        {seconds === null || seconds === undefined ? "" : formatFigure(seconds * 1000)}
      </Td>
      <Td dataLabel="per">{figures.cpu_unit}</Td>
      <Td dataLabel="Change" className="kr-number">
        {change}
      </Td>
      {SPLIT.map(([key, title]) => (
        <Td key={key} dataLabel={title} className="kr-number">
          {percent(figures.host_cpu?.[key])}
        </Td>
      ))}
    </Tr>
  );
}

function percent(fraction: number | undefined): string {
  return fraction === undefined ? "" : (fraction * 100).toFixed(1);
}
