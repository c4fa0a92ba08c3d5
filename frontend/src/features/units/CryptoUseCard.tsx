import {
  Alert,
  Card,
  CardBody,
  CardTitle,
  ExpandableSection,
  Progress,
} from "@patternfly/react-core";
import { Table, Tbody, Td, Th, Thead, Tr } from "@patternfly/react-table";
import { useQuery } from "@tanstack/react-query";
import { Link } from "react-router";
import { cryptoUseQuery } from "../../api/queries";
import type { CryptoUse, CryptoUseRow } from "../../api/types";
import { formatCount, formatDuration, formatFigure } from "../../components/format";
import { SimulatedLabel } from "../../components/HostName";
import { Mono } from "../../components/Mono";
import { QueryView } from "../../components/QueryView";
import { StateLabel } from "../../components/StateLabel";
import { Time } from "../../components/Time";

interface Props {
  host: string;
  /** Only the answer; figures stand on the host's units. */
  isBrief?: boolean;
}

const ANSWERS: Record<CryptoUse["answer"], "success" | "warning" | "info"> = {
  yes: "success",
  partly: "warning",
  no: "warning",
  idle: "info",
  unknown: "info",
};

/** Answered from what counters did between two readings. */
export function CryptoUseCard({ host, isBrief = false }: Props) {
  const use = useQuery(cryptoUseQuery(host));
  return (
    <Card className="kr-below">
      <CardTitle component="h2">
        <span className="kr-inline">
          Is the hardware really used?
          {use.data?.is_simulated === true && <SimulatedLabel source="simulator" />}
        </span>
      </CardTitle>
      <CardBody>
        <QueryView query={use} what="the use of the hardware" lines={2}>
          {(data) => (
            <>
              <Alert
                isInline
                isPlain
                component="p"
                variant={ANSWERS[data.answer]}
                title={data.sentence}
              />
              {isBrief ? <More use={data} host={host} /> : <Figures use={data} />}
            </>
          )}
        </QueryView>
      </CardBody>
    </Card>
  );
}

function More({ use, host }: { use: CryptoUse; host: string }) {
  if (use.units.length === 0) return null;
  return (
    <p className="kr-above-small">
      <Link to={`/hosts/${host}/units`}>Figures by unit and algorithm</Link>
    </p>
  );
}

function Figures({ use }: { use: CryptoUse }) {
  const { units, software, algorithms } = use;
  if (units.length + software.length === 0) return null;
  return (
    <>
      {use.since !== null && use.seconds !== null && (
        <p className="kr-subtle kr-above-small">
          Counted over {formatDuration(use.seconds)}, until <Time at={use.until} />.
        </p>
      )}
      <ExpandableSection toggleText="Figures by unit, provider and algorithm">
        <UseTable title="Units of the hardware" rows={units} />
        {algorithms.length > 0 && (
          <UseTable
            title="What the hardware did, by algorithm"
            rows={algorithms
              .map((row) => ({ ...row, key: row.name, unit: row.name }))
              .sort((one, other) => (other.per_second ?? 0) - (one.per_second ?? 0))}
          />
        )}
        <UseTable title="In software" rows={software} />
      </ExpandableSection>
    </>
  );
}

type Row = Pick<CryptoUseRow, "key" | "unit" | "provider" | "ops" | "per_second" | "share"> &
  Partial<CryptoUseRow>;

function UseTable({ title, rows }: { title: string; rows: Row[] }) {
  if (rows.length === 0) return null;
  const hasTrouble = rows.some(
    ({ queue_full, failures }) => queue_full != null || failures != null,
  );
  return (
    <>
      <h3 className="kr-above">{title}</h3>
      <Table aria-label={title} variant="compact" gridBreakPoint="grid-md">
        <Thead>
          <Tr>
            <Th>Who</Th>
            <Th className="kr-number">Per second</Th>
            <Th>Share</Th>
            <Th className="kr-number">So far</Th>
            {hasTrouble && <Th className="kr-number">Queue full</Th>}
            {hasTrouble && <Th className="kr-number">Failures</Th>}
          </Tr>
        </Thead>
        <Tbody>
          {rows.map((row) => (
            <Tr key={`${row.provider}/${row.key}`}>
              <Td dataLabel="Who">
                <Who row={row} />
              </Td>
              <Td dataLabel="Per second" className="kr-number">
                {row.per_second === null ? "not known" : formatFigure(row.per_second)}
              </Td>
              <Td dataLabel="Share">
                <Share row={row} />
              </Td>
              <Td dataLabel="So far" className="kr-number">
                {formatCount(row.ops)}
              </Td>
              {hasTrouble && (
                <Td dataLabel="Queue full" className="kr-number">
                  {figure(row.queue_full)}
                </Td>
              )}
              {hasTrouble && (
                <Td dataLabel="Failures" className="kr-number">
                  {figure(row.failures)}
                </Td>
              )}
            </Tr>
          ))}
        </Tbody>
      </Table>
    </>
  );
}

const figure = (value: number | null | undefined) => (value == null ? "" : formatCount(value));

function Who({ row }: { row: Row }) {
  return (
    <span className="kr-inline">
      <Mono>{row.unit}</Mono>
      {row.provider !== row.unit && (
        <span className="kr-subtle">
          of <Mono>{row.provider}</Mono>
        </span>
      )}
      {row.is_online === false && <StateLabel state="offline" text="off line" />}
    </span>
  );
}

function Share({ row }: { row: Row }) {
  if (row.share === null) return null;
  const percent = Math.round(row.share * 100);
  return (
    <Progress
      value={percent}
      size="sm"
      measureLocation="outside"
      aria-label={`Share of ${row.unit}`}
    />
  );
}
