import { Card, CardBody, CardTitle, Grid, GridItem, PageSection } from "@patternfly/react-core";
import { Table, Tbody, Td, Th, Thead, Tr } from "@patternfly/react-table";
import { useQuery } from "@tanstack/react-query";
import { Link, useParams } from "react-router";
import { lists, tokenQuery } from "../../api/queries";
import type { Certificate, Token } from "../../api/types";
import { type Fact, Facts } from "../../components/Facts";
import { formatBytes, formatCount, sentenceWords, words } from "../../components/format";
import { HostName, SimulatedLabel } from "../../components/HostName";
import { WordLabels } from "../../components/Labels";
import { CopyableMono, Mono } from "../../components/Mono";
import { NameHeading } from "../../components/NameHeading";
import { PageHead } from "../../components/PageHead";
import { QueryView } from "../../components/QueryView";
import { StateLabel } from "../../components/StateLabel";
import { Time } from "../../components/Time";
import { CERTIFICATE_COLUMNS } from "./columns";
import { tokenName } from "./tokenName";

export function TokenPage() {
  const { tokenId = "" } = useParams();
  const token = useQuery(tokenQuery(tokenId));
  return (
    <QueryView query={token} what="the token" lines={10}>
      {(data) => <TokenView token={data} />}
    </QueryView>
  );
}

function TokenView({ token }: { token: Token }) {
  const name = tokenName(token);
  return (
    <>
      <PageHead
        title={name}
        heading={<NameHeading text={name} what="the token’s label" />}
        parent={{ to: "/tokens", label: "Tokens" }}
        labels={
          <>
            {token.gone_at !== null && <StateLabel state="gone" />}
            {token.host.is_simulated && <SimulatedLabel />}
          </>
        }
      />
      <PageSection isFilled>
        <Grid hasGutter>
          <GridItem lg={6}>
            <FactCard title="Token" facts={identity(token)} />
          </GridItem>
          <GridItem lg={6}>
            <FactCard title="PINs" facts={pins(token)} />
          </GridItem>
          <GridItem>
            <FactCard title="Limits and content" facts={limits(token)} columns={3} />
          </GridItem>
          <GridItem>
            <Certificates token={token} />
          </GridItem>
        </Grid>
      </PageSection>
    </>
  );
}

function FactCard({ title, facts, columns }: { title: string; facts: Fact[]; columns?: 2 | 3 }) {
  return (
    <Card isFullHeight>
      <CardTitle component="h2">{title}</CardTitle>
      <CardBody>
        <Facts facts={facts} columns={columns} />
      </CardBody>
    </Card>
  );
}

function identity(token: Token): Fact[] {
  return [
    ["Host", <HostName key="h" host={token.host} tab="tokens" />],
    [
      "Provider",
      <Link
        key="p"
        className="kr-mono"
        to={`/hosts/${token.host.id}/providers?provider=${token.provider.id}`}
      >
        {token.provider.name}
      </Link>,
    ],
    ["Serial", token.serial && <CopyableMono text={token.serial} name="the serial number" />],
    ["Slot today", <Mono key="s">{token.slot_id}</Mono>],
    ["Model", token.model],
    ["Manufacturer", token.manufacturer],
    ["Hardware version", token.hardware_version],
    ["Firmware version", token.firmware_version],
    ["First seen", <Time key="f" at={token.first_seen_at} />],
    ["Gone", token.gone_at && <Time at={token.gone_at} />],
  ];
}

function pins(token: Token): Fact[] {
  return [
    ["User PIN", <StateLabel key="u" state={token.user_pin_state} />],
    ["Security officer’s PIN", <StateLabel key="s" state={token.so_pin_state} />],
    ["PIN length", pinLength(token)],
    ["Initialised", token.is_initialised ? "yes" : "no"],
    [
      "PIN source on the host",
      token.has_pin_source
        ? "configured by the host’s admin; the PIN itself never leaves the host"
        : "none: Keyrack never logs in to this token",
    ],
  ];
}

function pinLength({ min_pin_length: min, max_pin_length: max }: Token): string {
  if (min === null && max === null) return "not told";
  if (max === 0) return "takes no PIN";
  return `${min ?? "?"} to ${max ?? "?"} characters`;
}

/** -1 is the standard's "effectively infinite"; null is "the token does not tell", which is not 0. */
function limit(value: number | null, show: (value: number) => string = formatCount): string {
  if (value === null) return "not told";
  return value === -1 ? "unlimited" : show(value);
}

/** Newest figures from the heartbeats, e.g. `token.sessions`. */
function gauges(token: Token): Fact[] {
  return Object.entries(token.gauges).map(([name, value]) => [
    `${sentenceWords(name.replace(/^token\./, ""))} now`,
    limit(value),
  ]);
}

function limits(token: Token): Fact[] {
  const objects = Object.entries(token.public_objects);
  return [
    ["Sessions at most", limit(token.max_sessions)],
    ["Read-write sessions at most", limit(token.max_rw_sessions)],
    ...gauges(token),
    ["Public memory", limit(token.total_public_memory_bytes, formatBytes)],
    ["Private memory", limit(token.total_private_memory_bytes, formatBytes)],
    [
      "Objects in the open",
      objects.map(([kind, count]) => `${formatCount(count)} ${words(kind)}`).join(", ") || "none",
    ],
    ["Flags", <WordLabels key="f" words={token.flags} name="Token flags" limit={12} />],
  ];
}

function Certificates({ token }: { token: Token }) {
  const certificates = useQuery(
    lists.certificates({ token: token.id, ordering: "not_after", page_size: "100" }),
  );
  return (
    <Card>
      <CardTitle component="h2">Certificates in the open</CardTitle>
      <CardBody>
        <QueryView query={certificates} what="the certificates" lines={2}>
          {({ results }) => (results.length === 0 ? "None." : <CertificateTable rows={results} />)}
        </QueryView>
      </CardBody>
    </Card>
  );
}

function CertificateTable({ rows }: { rows: Certificate[] }) {
  return (
    <Table variant="compact" aria-label="Certificates on this token">
      <Thead>
        <Tr>
          {CERTIFICATE_COLUMNS.map(({ title }) => (
            <Th modifier="wrap" key={title}>
              {title}
            </Th>
          ))}
        </Tr>
      </Thead>
      <Tbody>
        {rows.map((row) => (
          <Tr key={row.id}>
            {CERTIFICATE_COLUMNS.map(({ title, cell }) => (
              <Td key={title} dataLabel={title}>
                {cell(row)}
              </Td>
            ))}
          </Tr>
        ))}
      </Tbody>
    </Table>
  );
}
