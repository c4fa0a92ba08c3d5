import { Outlet } from "react-router";
import { useMe } from "../../app/session";
import { PageHead } from "../../components/PageHead";
import { RouteTabs } from "../../components/RouteTabs";
import { ADMINISTRATION_TABS } from "./tabs";

export function AdministrationPage() {
  const { capabilities } = useMe();
  return (
    <>
      <PageHead title="Administration" />
      <RouteTabs
        base="/administration"
        tabs={ADMINISTRATION_TABS.filter(({ verb }) => capabilities[verb])}
        label="Parts of the administration"
      >
        <Outlet />
      </RouteTabs>
    </>
  );
}
