import { Card, CardBody, CardTitle, Radio } from "@patternfly/react-core";
import { InnerScrollContainer, Table, Tbody, Td, Th, Thead, Tr } from "@patternfly/react-table";
import type { RunSummary } from "../../api/types";
import { formatDuration } from "../../components/format";
import { HostName } from "../../components/HostName";
import { StateLabel } from "../../components/StateLabel";
import { runSeconds } from "./columns";

interface Props {
  runs: RunSummary[];
  chosen: string | undefined;
  onChoose: (id: string) => void;
}

/** The job's hosts; the chosen one's run is shown below. */
export function RunsTable({ runs, chosen, onChoose }: Props) {
  return (
    <Card>
      <CardTitle component="h2">Hosts</CardTitle>
      <CardBody>
        <InnerScrollContainer>
          <Table variant="compact" aria-label="Runs of this job">
            <Thead>
              <Tr>
                <Th screenReaderText="Shown below" />
                <Th modifier="wrap">Host</Th>
                <Th modifier="wrap">State</Th>
                <Th modifier="wrap">What it showed</Th>
                <Th modifier="wrap" className="kr-number">
                  Took
                </Th>
              </Tr>
            </Thead>
            <Tbody>
              {runs.map((run) => (
                <Tr key={run.id} isRowSelected={run.id === chosen}>
                  <Td>
                    <Radio
                      id={`show-${run.id}`}
                      name="run"
                      aria-label={`Show the run on ${run.host.name}`}
                      isChecked={run.id === chosen}
                      onChange={() => onChoose(run.id)}
                    />
                  </Td>
                  <Td dataLabel="Host">
                    <HostName host={run.host} tab="jobs" />
                  </Td>
                  <Td dataLabel="State">
                    <StateLabel state={run.state} />
                  </Td>
                  <Td dataLabel="What it showed">{run.sentence || run.message}</Td>
                  <Td dataLabel="Took" className="kr-number" modifier="nowrap">
                    {took(run)}
                  </Td>
                </Tr>
              ))}
            </Tbody>
          </Table>
        </InnerScrollContainer>
      </CardBody>
    </Card>
  );
}

function took(run: RunSummary): string {
  const seconds = runSeconds(run);
  return seconds === null ? "" : formatDuration(seconds);
}
