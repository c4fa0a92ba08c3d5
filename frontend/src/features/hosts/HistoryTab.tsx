import { Card, CardBody, CardTitle, Content, Grid, GridItem, Radio } from "@patternfly/react-core";
import { InnerScrollContainer, Table, Tbody, Td, Th, Thead, Tr } from "@patternfly/react-table";
import { useQuery } from "@tanstack/react-query";
import { useSearchParams } from "react-router";
import { lists } from "../../api/queries";
import type { Snapshot } from "../../api/types";
import { formatCount } from "../../components/format";
import { Mono } from "../../components/Mono";
import { QueryView } from "../../components/QueryView";
import { EmptyView } from "../../components/States";
import { Time } from "../../components/Time";
import { SnapshotDiff } from "./SnapshotDiff";
import { useHost } from "./useHost";

const SHOWN = 50;

/** The host's inventories, newest first, and what changed between two of them. */
export function HistoryTab() {
  const host = useHost();
  const snapshots = useQuery(
    lists.snapshots({ host: host.id, ordering: "-received_at", page_size: String(SHOWN) }),
  );
  return (
    <QueryView query={snapshots} what="the snapshots">
      {({ results, count }) =>
        results.length === 0 ? (
          <EmptyView title="No inventory yet">
            Each inventory that differs from the one before it is kept here.
          </EmptyView>
        ) : (
          <History snapshots={results} total={count} />
        )
      }
    </QueryView>
  );
}

interface Chosen {
  from: string;
  to: string;
  choose: (end: "from" | "to", id: string) => void;
}

/** Both ends stand in the URL; unless chosen they are the newest inventory and the one before it. */
function useChosen(snapshots: Snapshot[]): Chosen {
  const [params, setParams] = useSearchParams();
  const newest = snapshots[0]?.id ?? "";
  return {
    to: params.get("to") ?? newest,
    from: params.get("from") ?? snapshots[1]?.id ?? newest,
    choose: (end, id) =>
      setParams(
        (before) => {
          const after = new URLSearchParams(before);
          after.set(end, id);
          return after;
        },
        { replace: true },
      ),
  };
}

function History({ snapshots, total }: { snapshots: Snapshot[]; total: number }) {
  const chosen = useChosen(snapshots);
  return (
    <Grid hasGutter>
      <GridItem xl={5}>
        <Card>
          <CardTitle component="h2">Inventories ({formatCount(total)})</CardTitle>
          <CardBody>
            <InnerScrollContainer>
              <SnapshotTable snapshots={snapshots} chosen={chosen} />
            </InnerScrollContainer>
            {total > snapshots.length && (
              <Content component="small">
                The newest {formatCount(snapshots.length)} are listed; older ones are at the API.
              </Content>
            )}
          </CardBody>
        </Card>
      </GridItem>
      <GridItem xl={7}>
        <Card>
          <CardTitle component="h2">What changed</CardTitle>
          <CardBody>
            {snapshots.length < 2 ? (
              "This is the only inventory so far. A second is kept when something on the host differs."
            ) : (
              <SnapshotDiff from={chosen.from} to={chosen.to} />
            )}
          </CardBody>
        </Card>
      </GridItem>
    </Grid>
  );
}

function SnapshotTable({ snapshots, chosen }: { snapshots: Snapshot[]; chosen: Chosen }) {
  return (
    <Table variant="compact" aria-label="Inventories of this host" gridBreakPoint="">
      <Thead>
        <Tr>
          <Th modifier="wrap">From</Th>
          <Th modifier="wrap">To</Th>
          <Th modifier="wrap">Received</Th>
          <Th modifier="wrap">Digest</Th>
          <Th modifier="wrap" className="kr-number">
            Units
          </Th>
        </Tr>
      </Thead>
      <Tbody>
        {snapshots.map((snapshot) => (
          <Tr key={snapshot.id}>
            {(["from", "to"] as const).map((end) => (
              <Td key={end}>
                <Radio
                  id={`${end}-${snapshot.id}`}
                  name={end}
                  aria-label={`${end === "from" ? "Compare from" : "Compare to"} ${snapshot.received_at}`}
                  isChecked={chosen[end] === snapshot.id}
                  onChange={() => chosen.choose(end, snapshot.id)}
                />
              </Td>
            ))}
            <Td modifier="nowrap">
              <Time at={snapshot.received_at} />
            </Td>
            <Td modifier="nowrap">
              <Mono>{snapshot.digest.slice(0, 8)}</Mono>
            </Td>
            <Td className="kr-number">{formatCount(snapshot.counts["units"] ?? 0)}</Td>
          </Tr>
        ))}
      </Tbody>
    </Table>
  );
}
