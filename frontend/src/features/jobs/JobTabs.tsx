import type { ReactNode } from "react";
import { RouteTabs } from "../../components/RouteTabs";

const TABS = [
  { path: "jobs", label: "Jobs" },
  { path: "runs", label: "Runs on single hosts" },
];

export function JobTabs({ children }: { children: ReactNode }) {
  return (
    <RouteTabs base="" tabs={TABS} label="Jobs and their runs">
      {children}
    </RouteTabs>
  );
}
