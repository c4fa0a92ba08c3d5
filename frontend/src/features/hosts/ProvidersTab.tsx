import { Card, CardBody, CardTitle } from "@patternfly/react-core";
import { useQuery } from "@tanstack/react-query";
import { Link, useSearchParams } from "react-router";
import { lists, providerQuery } from "../../api/queries";
import type { Host, Provider } from "../../api/types";
import { Attributes } from "../../components/Attributes";
import { Facts } from "../../components/Facts";
import { ResourceList } from "../../components/list/ResourceList";
import { CopyableMono, Mono } from "../../components/Mono";
import { QueryView } from "../../components/QueryView";
import { StateLabel } from "../../components/StateLabel";
import { Time } from "../../components/Time";
import { named, PROVIDER_KINDS } from "../../components/words";
import { MetaslotCard } from "../policy/MetaslotCard";
import { ProviderMechanisms } from "../policy/ProviderMechanisms";
import { PROVIDER_COLUMNS, PROVIDER_FILTERS } from "../providers/columns";
import { factColumns, nameColumn, providerColumn } from "../providers/mechanismColumns";
import { MechanismList } from "../providers/MechanismList";
import { SlotsCard } from "../providers/SlotsCard";
import { RouteToggle } from "../providers/RouteToggle";
import { NothingYet } from "./NothingYet";
import { useHost } from "./useHost";

/** The host's providers; of one of them its facts and mechanisms; or the mechanisms of all. */
export function ProvidersTab() {
  const host = useHost();
  const [params] = useSearchParams();
  const provider = params.get("provider");
  if (provider !== null) return <OneProvider key={provider} host={host} providerId={provider} />;
  return (
    <>
      <MetaslotCard host={host} />
      <RouteToggle />
      {params.get("view") === "mechanisms" ? <AllMechanisms host={host} /> : <All host={host} />}
    </>
  );
}

function All({ host }: { host: Host }) {
  return (
    <ResourceList
      title={`Providers of ${host.name}`}
      path="/api/v1/providers/"
      query={lists.providers}
      fixed={{ host: host.id }}
      columns={PROVIDER_COLUMNS}
      filters={[...PROVIDER_FILTERS]}
      defaultOrdering="name"
      rowKey={(provider) => provider.id}
      empty={<NothingYet what="provider" hasInventory={host.inventory_at !== null} />}
    />
  );
}

function AllMechanisms({ host }: { host: Host }) {
  return (
    <MechanismList
      title={`Mechanisms on ${host.name}`}
      columns={[nameColumn, providerColumn, ...factColumns]}
      fixed={{ host: host.id }}
      empty={<NothingYet what="mechanism" hasInventory={host.inventory_at !== null} />}
    />
  );
}

function OneProvider({ host, providerId }: { host: Host; providerId: string }) {
  const provider = useQuery(providerQuery(providerId));
  return (
    <>
      <p className="kr-below">
        <Link to={`/hosts/${host.id}/providers`}>All providers of {host.name}</Link>
      </p>
      <QueryView query={provider} what="the provider" lines={4}>
        {(data) => (
          <>
            <ProviderCard provider={data} />
            {data.kind === "pkcs11_library" && <SlotsCard providerId={data.id} />}
            <ProviderMechanisms provider={data} />
          </>
        )}
      </QueryView>
    </>
  );
}

function ProviderCard({ provider }: { provider: Provider }) {
  const isLibrary = provider.kind === "pkcs11_library";
  return (
    <Card className="kr-below">
      <CardTitle component="h2">
        <Mono>{provider.name}</Mono>
      </CardTitle>
      <CardBody>
        <Facts
          columns={3}
          facts={[
            ["Kind", named(PROVIDER_KINDS, provider.kind)],
            ["State", <StateLabel key="s" state={provider.gone_at ? "gone" : provider.state} />],
            ["What is wrong", provider.error],
            ["Path", provider.path && <CopyableMono text={provider.path} name="the path" />],
            ["Manufacturer", provider.manufacturer],
            ["Description", provider.description],
            ["Version", provider.version && <Mono>{provider.version}</Mono>],
            [
              "Cryptoki version",
              provider.cryptoki_version && <Mono>{provider.cryptoki_version}</Mono>,
            ],
            ["Usable from several threads", isLibrary ? threads(provider.is_thread_safe) : ""],
            ["First seen", <Time key="f" at={provider.first_seen_at} />],
          ]}
        />
        {Object.keys(provider.attributes).length > 0 && (
          <div className="kr-above">
            <Attributes attributes={provider.attributes} />
          </div>
        )}
      </CardBody>
    </Card>
  );
}

function threads(isThreadSafe: boolean | null): string {
  if (isThreadSafe === null) return "not known";
  return isThreadSafe ? "yes, it claims" : "no";
}
