/** Where a match of the global search leads, and how its kind is called. */
import type { Hit, HitGroup } from "../../api/types";
import { words } from "../../components/format";

const KIND_TITLES: Record<Hit["kind"], string> = {
  host: "Hosts",
  unit: "Crypto units",
  domain: "Logical domains",
  token: "Tokens",
  certificate: "Certificates",
  provider: "Providers",
  job: "Jobs",
};

export function kindTitle({ kind }: HitGroup): string {
  return KIND_TITLES[kind];
}

export function hitLink(hit: Hit): string {
  const host = hit.host?.id ?? "";
  const search = `search=${encodeURIComponent(hit.title)}`;
  switch (hit.kind) {
    case "host":
      return `/hosts/${hit.id}/summary`;
    case "unit":
      return `/hosts/${host}/units?${search}`;
    case "domain":
      return `/hosts/${host}/units?domain=${hit.id}`;
    case "token":
      return `/tokens/${hit.id}`;
    case "certificate":
      return `/certificates?${search}`;
    case "provider":
      return `/hosts/${host}/providers?provider=${hit.id}`;
    case "job":
      return `/jobs/${hit.id}`;
  }
}

/** The list of that kind with the same search, or null where there is no such page. */
export function moreLink({ kind }: HitGroup, text: string): string | null {
  return kind === "domain" ? null : `/${kind}s?search=${encodeURIComponent(text)}`;
}

export function hitDetail({ host, subtitle }: Hit): string {
  const place = host === null ? "" : `on ${host.name}`;
  const simulated = host?.is_simulated ? "simulated" : "";
  return [words(subtitle), place, simulated].filter((part) => part !== "").join(" · ");
}
