import { Nav, NavItem, NavList, PageSidebar, PageSidebarBody } from "@patternfly/react-core";
import { Link, useLocation } from "react-router";
import { useMe } from "./session";

interface Entry {
  to: string;
  label: string;
  /** Filters that the page opens with. */
  search?: string;
  /** Shown only to whoever may do one of these. */
  verbs: string[];
}

const ENTRIES: Entry[] = [
  { to: "/", label: "Overview", verbs: ["host.read"] },
  { to: "/hosts", label: "Hosts", verbs: ["host.read"] },
  { to: "/units", label: "Crypto units", verbs: ["inventory.read"] },
  { to: "/domains", label: "Domains", verbs: ["inventory.read"] },
  { to: "/tokens", label: "Tokens", verbs: ["inventory.read"] },
  { to: "/providers", label: "Providers & mechanisms", verbs: ["inventory.read"] },
  { to: "/changes", label: "Changes", verbs: ["change.read"] },
  { to: "/jobs", label: "Jobs", verbs: ["job.read"] },
  { to: "/findings", search: "?is_resolved=false", label: "Findings", verbs: ["finding.read"] },
  { to: "/audit", label: "Audit", verbs: ["audit.read"] },
  {
    to: "/administration",
    label: "Administration",
    verbs: ["user.manage", "api_token.manage", "enrolment_token.manage", "host.update"],
  },
];
/** Addresses that belong to an entry though they do not begin like it. */
const ALSO: Record<string, string> = {
  "/mechanisms": "/providers",
  "/metaslots": "/providers",
  "/policy": "/providers",
  "/certificates": "/tokens",
  "/runs": "/jobs",
  "/drifts": "/changes",
};

function isActive(to: string, pathname: string): boolean {
  const first = `/${pathname.split("/")[1] ?? ""}`;
  return (ALSO[first] ?? first) === to;
}

export function Sidebar() {
  const { pathname } = useLocation();
  const { capabilities } = useMe();
  const visible = ENTRIES.filter(({ verbs }) => verbs.some((verb) => capabilities[verb]));
  return (
    <PageSidebar>
      <PageSidebarBody>
        <Nav aria-label="Main">
          <NavList>
            {visible.map(({ to, label, search }) => (
              <NavItem key={to} itemId={to} isActive={isActive(to, pathname)}>
                <Link to={`${to}${search ?? ""}`}>{label}</Link>
              </NavItem>
            ))}
          </NavList>
        </Nav>
      </PageSidebarBody>
    </PageSidebar>
  );
}
