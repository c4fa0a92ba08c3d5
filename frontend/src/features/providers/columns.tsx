import { Link } from "react-router";
import type { Provider } from "../../api/types";
import { formatCount } from "../../components/format";
import { HostName } from "../../components/HostName";
import type { Column, Filter } from "../../components/list/types";
import { Mono } from "../../components/Mono";
import { StateLabel } from "../../components/StateLabel";
import { GONE_OPTIONS, named, optionsOf, PROVIDER_KINDS } from "../../components/words";

export const providerHostColumn: Column<Provider> = {
  title: "Host",
  orderBy: "host",
  cell: (provider) => <HostName host={provider.host} tab="providers" />,
};

export const PROVIDER_COLUMNS: Column<Provider>[] = [
  {
    title: "Provider",
    orderBy: "name",
    cell: (provider) => (
      <Link className="kr-mono" to={`/hosts/${provider.host.id}/providers?provider=${provider.id}`}>
        {provider.name}
      </Link>
    ),
  },
  { title: "Kind", orderBy: "kind", cell: (provider) => named(PROVIDER_KINDS, provider.kind) },
  {
    title: "State",
    orderBy: "state",
    cell: (provider) => <ProviderState provider={provider} />,
  },
  { title: "Version", cell: (provider) => <Mono>{provider.version}</Mono> },
  {
    title: "Mechanisms",
    orderBy: "mechanism_count",
    isNumeric: true,
    cell: (provider) => formatCount(provider.mechanism_count),
  },
  {
    title: "Slots",
    isNumeric: true,
    cell: (provider) =>
      provider.kind === "pkcs11_library" ? formatCount(provider.slot_count) : "",
  },
];

function ProviderState({ provider }: { provider: Provider }) {
  return (
    <>
      <StateLabel state={provider.gone_at ? "gone" : provider.state} />
      {provider.error !== "" && <div className="kr-subtle">{provider.error}</div>}
    </>
  );
}

export const PROVIDER_FILTERS = [
  { kind: "text", name: "search", label: "Name, path or maker" },
  { kind: "choices", name: "kind", label: "Kind", options: optionsOf(PROVIDER_KINDS) },
  { kind: "choice", name: "gone", label: "Presence", options: GONE_OPTIONS },
] as const satisfies Filter<string>[];
