import type { ReactNode } from "react";
import { RouteTabs } from "../../components/RouteTabs";

const TABS = [
  { path: "tokens", label: "Tokens" },
  { path: "certificates", label: "Certificates" },
];

/** Tokens, and what lies on them in the open. */
export function TokenTabs({ children }: { children: ReactNode }) {
  return (
    <RouteTabs base="" tabs={TABS} label="Tokens and certificates">
      {children}
    </RouteTabs>
  );
}
