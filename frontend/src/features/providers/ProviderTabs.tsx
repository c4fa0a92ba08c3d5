import type { ReactNode } from "react";
import { RouteTabs } from "../../components/RouteTabs";

const TABS = [
  { path: "providers", label: "Providers" },
  { path: "mechanisms", label: "Mechanisms" },
  { path: "policy", label: "Mechanism policy" },
  { path: "metaslots", label: "Metaslots" },
];

export function ProviderTabs({ children }: { children: ReactNode }) {
  return (
    <RouteTabs base="" tabs={TABS} label="Providers and mechanisms">
      {children}
    </RouteTabs>
  );
}
