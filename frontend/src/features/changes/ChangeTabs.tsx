import type { ReactNode } from "react";
import { RouteTabs } from "../../components/RouteTabs";
import { PauseBanner } from "./PauseBanner";

const TABS = [
  { path: "changes", label: "Changes" },
  { path: "changes/batches", label: "Batches" },
  { path: "drifts", label: "Drift" },
];

export function ChangeTabs({ children }: { children: ReactNode }) {
  return (
    <RouteTabs base="" tabs={TABS} label="Changes">
      <PauseBanner />
      {children}
    </RouteTabs>
  );
}
