/** All addresses of the dashboard. Each page is its own chunk, loaded when it is first opened. */
import type { ComponentType } from "react";
import { Navigate, type RouteObject } from "react-router";
import { CrashPage } from "./CrashPage";
import { FirstLoad } from "./FirstLoad";
import { NotFoundPage } from "./NotFoundPage";
import { RequireLogin } from "./RequireLogin";
import { Shell } from "./Shell";

/** Turn `import("…")` of a page module into a lazy route. */
function page<Name extends string>(
  name: Name,
  load: () => Promise<Record<Name, ComponentType>>,
): { lazy: () => Promise<{ Component: ComponentType }> } {
  return { lazy: async () => ({ Component: (await load())[name] }) };
}

const hostTabs: RouteObject[] = [
  { index: true, element: <Navigate to="summary" replace /> },
  { path: "summary", ...page("SummaryTab", () => import("../features/hosts/SummaryTab")) },
  { path: "units", ...page("UnitsTab", () => import("../features/hosts/UnitsTab")) },
  { path: "domains", ...page("DomainsTab", () => import("../features/domains/DomainsTab")) },
  { path: "providers", ...page("ProvidersTab", () => import("../features/hosts/ProvidersTab")) },
  { path: "tokens", ...page("TokensTab", () => import("../features/hosts/TokensTab")) },
  { path: "jobs", ...page("JobsTab", () => import("../features/hosts/JobsTab")) },
  { path: "changes", ...page("ChangesTab", () => import("../features/changes/ChangesTab")) },
  { path: "history", ...page("HistoryTab", () => import("../features/hosts/HistoryTab")) },
];

const administration: RouteObject[] = [
  {
    index: true,
    ...page("AdministrationIndex", () => import("../features/administration/AdministrationIndex")),
  },
  { path: "users", ...page("UsersTab", () => import("../features/administration/UsersTab")) },
  {
    path: "api-tokens",
    ...page("ApiTokensTab", () => import("../features/administration/ApiTokensTab")),
  },
  {
    path: "enrolment-tokens",
    ...page("EnrolmentTokensTab", () => import("../features/administration/EnrolmentTokensTab")),
  },
  {
    path: "host-labels",
    ...page("HostLabelsTab", () => import("../features/administration/HostLabelsTab")),
  },
  {
    path: "host-groups",
    ...page("HostGroupsTab", () => import("../features/administration/HostGroupsTab")),
  },
  {
    path: "approval-rules",
    ...page("ApprovalRulesTab", () => import("../features/administration/ApprovalRulesTab")),
  },
  {
    path: "maintenance-windows",
    ...page(
      "MaintenanceWindowsTab",
      () => import("../features/administration/MaintenanceWindowsTab"),
    ),
  },
  { path: "pause", ...page("PauseTab", () => import("../features/administration/PauseTab")) },
];

const pages: RouteObject[] = [
  { index: true, ...page("OverviewPage", () => import("../features/overview/OverviewPage")) },
  { path: "hosts", ...page("HostsPage", () => import("../features/hosts/HostsPage")) },
  { path: "hosts/enrol", ...page("EnrolPage", () => import("../features/enrolment/EnrolPage")) },
  {
    path: "hosts/:hostId",
    ...page("HostPage", () => import("../features/hosts/HostPage")),
    children: hostTabs,
  },
  { path: "units", ...page("UnitsPage", () => import("../features/units/UnitsPage")) },
  {
    path: "units/matrix",
    ...page("MatrixPage", () => import("../features/units/MatrixPage")),
  },
  { path: "domains", ...page("DomainsPage", () => import("../features/domains/DomainsPage")) },
  {
    path: "domains/:domainId",
    ...page("DomainPage", () => import("../features/domains/DomainPage")),
  },
  { path: "metaslots", ...page("MetaslotsPage", () => import("../features/policy/MetaslotsPage")) },
  { path: "policy", ...page("PolicyPage", () => import("../features/policy/PolicyPage")) },
  { path: "tokens", ...page("TokensPage", () => import("../features/tokens/TokensPage")) },
  {
    path: "tokens/:tokenId",
    ...page("TokenPage", () => import("../features/tokens/TokenPage")),
  },
  {
    path: "certificates",
    ...page("CertificatesPage", () => import("../features/tokens/CertificatesPage")),
  },
  {
    path: "providers",
    ...page("ProvidersPage", () => import("../features/providers/ProvidersPage")),
  },
  {
    path: "mechanisms",
    ...page("MechanismsPage", () => import("../features/providers/MechanismsPage")),
  },
  { path: "jobs", ...page("JobsPage", () => import("../features/jobs/JobsPage")) },
  { path: "runs", ...page("RunsPage", () => import("../features/jobs/RunsPage")) },
  { path: "jobs/new", ...page("NewJobPage", () => import("../features/jobs/NewJobPage")) },
  { path: "jobs/:jobId", ...page("JobPage", () => import("../features/jobs/JobPage")) },
  { path: "changes", ...page("ChangesPage", () => import("../features/changes/ChangesPage")) },
  {
    path: "changes/new",
    ...page("NewChangePage", () => import("../features/changes/NewChangePage")),
  },
  {
    path: "changes/batches",
    ...page("BatchesPage", () => import("../features/batches/BatchesPage")),
  },
  {
    path: "changes/batches/:batchId",
    ...page("BatchPage", () => import("../features/batches/BatchPage")),
  },
  {
    path: "changes/:changeId",
    ...page("ChangePage", () => import("../features/changes/ChangePage")),
  },
  { path: "drifts", ...page("DriftPage", () => import("../features/drift/DriftPage")) },
  { path: "findings", ...page("FindingsPage", () => import("../features/findings/FindingsPage")) },
  { path: "audit", ...page("AuditPage", () => import("../features/audit/AuditPage")) },
  {
    path: "administration",
    ...page("AdministrationPage", () => import("../features/administration/AdministrationPage")),
    children: administration,
  },
  { path: "search", ...page("SearchPage", () => import("../features/search/SearchPage")) },
  { path: "*", element: <NotFoundPage /> },
];

export const routes: RouteObject[] = [
  {
    errorElement: <CrashPage />,
    HydrateFallback: FirstLoad,
    children: [
      { path: "login", ...page("LoginPage", () => import("../features/login/LoginPage")) },
      {
        element: <RequireLogin />,
        children: [
          { element: <Shell />, children: [{ errorElement: <CrashPage />, children: pages }] },
        ],
      },
    ],
  },
];
