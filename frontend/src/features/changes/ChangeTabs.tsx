import type { ReactNode } from "react";
import { RouteTabs } from "../../components/RouteTabs";

const TABS = [
  { path: "changes", label: "Changes" },
  { path: "changes/batches", label: "Batches" },
];

export function ChangeTabs({ children }: { children: ReactNode }) {
  return (
    <RouteTabs base="" tabs={TABS} label="Changes">
      {children}
    </RouteTabs>
  );
}
