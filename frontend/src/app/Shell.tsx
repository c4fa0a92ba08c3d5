import { Page, SkipToContent } from "@patternfly/react-core";
import { Outlet, ScrollRestoration } from "react-router";
import { Head } from "./Head";
import { Sidebar } from "./Sidebar";

const MAIN_ID = "main";

/** The frame around every page: masthead, navigation, content. */
export function Shell() {
  return (
    <Page
      masthead={<Head />}
      sidebar={<Sidebar />}
      isManagedSidebar
      isContentFilled
      mainContainerId={MAIN_ID}
      mainAriaLabel="Content"
      skipToContent={<SkipToContent href={`#${MAIN_ID}`}>Skip to content</SkipToContent>}
    >
      <Outlet />
      <ScrollRestoration />
    </Page>
  );
}
