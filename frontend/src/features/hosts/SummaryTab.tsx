import {
  Alert,
  Card,
  CardBody,
  CardTitle,
  Grid,
  GridItem,
  List,
  ListItem,
} from "@patternfly/react-core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "react-router";
import { gaugesQuery } from "../../api/queries";
import type { Host } from "../../api/types";
import { attributeText } from "../../components/Attributes";
import { type Fact, Facts } from "../../components/Facts";
import { formatBytes, formatCount, formatDuration } from "../../components/format";
import { KeyValueLabels, WordLabels } from "../../components/Labels";
import { Mono } from "../../components/Mono";
import { Time } from "../../components/Time";
import { CryptoUseCard } from "../units/CryptoUseCard";
import { HostFindings } from "./HostFindings";
import { useHost } from "./useHost";

export function SummaryTab() {
  const host = useHost();
  return (
    <Grid hasGutter>
      {host.blind_spots.length > 0 && (
        <GridItem>
          <BlindSpots host={host} />
        </GridItem>
      )}
      <GridItem>
        <HostFindings host={host} />
      </GridItem>
      <GridItem>
        <CryptoUseCard host={host.id} isBrief />
      </GridItem>
      <GridItem lg={6}>
        <FactCard title="Machine" facts={machineFacts(host)} />
      </GridItem>
      <GridItem lg={6}>
        <AgentCard host={host} />
      </GridItem>
      <GridItem>
        <SettingsCard host={host} />
      </GridItem>
    </Grid>
  );
}

function FactCard({ title, facts }: { title: string; facts: Fact[] }) {
  return (
    <Card isFullHeight>
      <CardTitle component="h2">{title}</CardTitle>
      <CardBody>
        <Facts facts={facts} />
      </CardBody>
    </Card>
  );
}

function AgentCard({ host }: { host: Host }) {
  const gauges = useQuery(gaugesQuery(host.id));
  const { uptime_seconds: uptime, is_broker_reached: isReached } = gauges.data ?? {};
  const now: Fact[] = [
    ["Host is up for", typeof uptime === "number" ? formatDuration(uptime) : ""],
    ["Hears of work", isReached === false ? "with the next heartbeat: no broker" : ""],
  ];
  return <FactCard title="Agent" facts={[...agentFacts(host), ...now]} />;
}

function machineFacts(host: Host): Fact[] {
  return [
    ["Operating system", `${host.os_name} ${host.os_version}`.trim()],
    ["Kernel", host.kernel && <Mono>{host.kernel}</Mono>],
    ["Architecture", host.architecture && <Mono>{host.architecture}</Mono>],
    ["Processor", host.cpu_model],
    ["Processors", host.cpu_count > 0 ? formatCount(host.cpu_count) : ""],
    ["Memory", host.memory_bytes > 0 ? formatBytes(host.memory_bytes) : ""],
    ["Crypto units", <CountLink key="u" host={host} count="units" tab="units" />],
    ["Tokens", <CountLink key="t" host={host} count="tokens" tab="tokens" />],
    ["Providers", <CountLink key="p" host={host} count="providers" tab="providers" />],
    ["Labels", Object.keys(host.labels).length > 0 && <KeyValueLabels labels={host.labels} />],
  ].filter(([, value]) => value !== false) as Fact[];
}

function CountLink({ host, count, tab }: { host: Host; count: string; tab: string }) {
  return <Link to={`/hosts/${host.id}/${tab}`}>{formatCount(host.counts[count] ?? 0)}</Link>;
}

function agentFacts(host: Host): Fact[] {
  return [
    ["Last seen", <Time key="s" at={host.last_seen_at} />],
    ["Inventory confirmed", <Time key="i" at={host.inventory_at} never="not yet" />],
    ["First inventory", <Time key="f" at={host.first_inventory_at} never="not yet" />],
    ["Enrolled", <Time key="e" at={host.enrolled_at} />],
    ["Version", host.agent_version && <Mono>{host.agent_version}</Mono>],
    ["Protocol", host.wire && <Mono>{host.wire}</Mono>],
    ["Facts come from", host.source],
    [
      "Accepts work of kind",
      host.allow.length > 0 ? (
        <WordLabels words={host.allow} name="Kinds of work that the agent accepts" />
      ) : (
        "none: this host can only be read"
      ),
    ],
  ];
}

function BlindSpots({ host }: { host: Host }) {
  return (
    <Alert component="p" isInline variant="info" title="What the agent cannot see on this host">
      <List>
        {host.blind_spots.map((sentence) => (
          <ListItem key={sentence}>{sentence}</ListItem>
        ))}
      </List>
    </Alert>
  );
}

function SettingsCard({ host }: { host: Host }) {
  const settings = Object.entries(host.settings);
  if (settings.length === 0) return null;
  return (
    <Card>
      <CardTitle component="h2">Host-wide settings</CardTitle>
      <CardBody>
        <Facts
          columns={3}
          facts={settings.map(([name, value]) => [
            name,
            <Mono key={name}>{attributeText(value)}</Mono>,
          ])}
        />
      </CardBody>
    </Card>
  );
}
