import { PageSection, Tab, TabTitleText, Tabs } from "@patternfly/react-core";
import type { ReactNode } from "react";
import { useLocation, useNavigate } from "react-router";

export interface RouteTab {
  /** Last part of the address. */
  path: string;
  label: string;
}

interface Props {
  /** Address that the tabs' paths hang off, without a slash at the end. */
  base: string;
  tabs: RouteTab[];
  label: string;
  /** What the open tab shows. */
  children: ReactNode;
}

const PANEL_ID = "tab-panel";

/** The tab whose address is the longest part of where we are: `units/matrix` before `units`. */
function activeTab(base: string, tabs: RouteTab[], pathname: string): string {
  const found = tabs.filter(({ path }) => pathname.startsWith(`${base}/${path}`));
  return found.sort((one, other) => other.path.length - one.path.length)[0]?.path ?? "";
}

/** Tabs that are addresses: each can be linked to, and the browser's back button works. */
export function RouteTabs({ base, tabs, label, children }: Props) {
  const { pathname } = useLocation();
  const navigate = useNavigate();
  const active = activeTab(base, tabs, pathname);
  return (
    <>
      <PageSection type="tabs" padding={{ default: "noPadding" }}>
        <Tabs
          component="nav"
          aria-label={label}
          activeKey={active}
          usePageInsets
          onSelect={(event, path) => {
            if (event.ctrlKey || event.metaKey || event.shiftKey) return; // a new tab or window
            event.preventDefault();
            void navigate(`${base}/${path}`);
          }}
        >
          {tabs.map(({ path, label: text }) => (
            <Tab
              key={path}
              eventKey={path}
              href={`${base}/${path}`}
              tabContentId={PANEL_ID}
              title={<TabTitleText>{text}</TabTitleText>}
            />
          ))}
        </Tabs>
      </PageSection>
      <PageSection isFilled id={PANEL_ID}>
        {children}
      </PageSection>
    </>
  );
}
