import { Card, CardBody, CardTitle, Content, StackItem } from "@patternfly/react-core";
import { Table, Tbody, Td, Th, Thead, Tr } from "@patternfly/react-table";
import type { Comparison } from "../../api/types";
import { Mono } from "../../components/Mono";
import { cellName, formatRatio } from "./figures";

/** Figures published elsewhere for the same cell, on other machines; absent where there are none. */
export function PublishedTable({ comparisons }: { comparisons: Comparison[] }) {
  const pairs = comparisons.flatMap((row) => row.published.map((figure) => ({ row, figure })));
  if (pairs.length === 0) return null;
  return (
    <StackItem>
      <Card>
        <CardTitle component="h2">Published elsewhere</CardTitle>
        <CardBody>
          <Content component="p" className="kr-subtle">
            Other machines and other comparisons: something to hold the figures against, not a
            target.
          </Content>
          <Table variant="compact" aria-label="Published figures" gridBreakPoint="grid-lg">
            <Thead>
              <Tr>
                <Th modifier="wrap">Measured</Th>
                <Th modifier="wrap" className="kr-number">
                  Ratio here
                </Th>
                <Th modifier="wrap" className="kr-number">
                  Ratio published
                </Th>
                <Th modifier="wrap">System</Th>
                <Th modifier="wrap">Compared</Th>
                <Th modifier="wrap">Source</Th>
              </Tr>
            </Thead>
            <Tbody>
              {pairs.map(({ row, figure }) => (
                <Tr key={`${row.cell} ${figure.reference} ${figure.compared}`}>
                  <Td dataLabel="Measured">
                    <Mono>{cellName(row)}</Mono>
                  </Td>
                  <Td dataLabel="Ratio here" className="kr-number">
                    {formatRatio(row.ratio)}
                  </Td>
                  <Td dataLabel="Ratio published" className="kr-number">
                    {figure.is_approximate ? "about " : ""}
                    {formatRatio(figure.ratio)}
                  </Td>
                  <Td dataLabel="System">{figure.system}</Td>
                  <Td dataLabel="Compared">{figure.compared}</Td>
                  <Td dataLabel="Source">
                    {figure.title}, {figure.publisher}
                  </Td>
                </Tr>
              ))}
            </Tbody>
          </Table>
        </CardBody>
      </Card>
    </StackItem>
  );
}
