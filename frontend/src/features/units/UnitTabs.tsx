import type { ReactNode } from "react";
import { RouteTabs } from "../../components/RouteTabs";

const TABS = [
  { path: "units", label: "List" },
  { path: "units/matrix", label: "Assignment matrix" },
];

export function UnitTabs({ children }: { children: ReactNode }) {
  return (
    <RouteTabs base="" tabs={TABS} label="Crypto units">
      {children}
    </RouteTabs>
  );
}
