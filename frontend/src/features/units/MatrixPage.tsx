import { useQuery } from "@tanstack/react-query";
import { Link, useSearchParams } from "react-router";
import { hostQuery, lists } from "../../api/queries";
import { PageHead } from "../../components/PageHead";
import { QueryView } from "../../components/QueryView";
import { EmptyView } from "../../components/States";
import { EnrolButton } from "../hosts/EnrolButton";
import { AssignmentMatrix } from "./AssignmentMatrix";
import { HostChoice } from "./HostChoice";
import { UnitTabs } from "./UnitTabs";

/** The assignment of one host, chosen in the address; at first one that has domains. */
export function MatrixPage() {
  const [params, setParams] = useSearchParams();
  const first = useQuery(lists.domains({ ordering: "host", page_size: "1" }));
  return (
    <>
      <PageHead title="Assignment matrix">
        Which logical domain of a host has which crypto units, and which it shall have.
      </PageHead>
      <UnitTabs>
        <QueryView query={first} what="the hosts" lines={8}>
          {({ results }) => {
            const host = params.get("host") ?? results[0]?.host.id;
            return host === undefined ? (
              <EmptyView title="No host with domains yet" action={<EnrolButton />}>
                A host whose agent finds logical domains, as on a SPARC control domain, shows its
                crypto units here by domain.
              </EmptyView>
            ) : (
              <OneHost key={host} host={host} onChoose={(id) => setParams({ host: id })} />
            );
          }}
        </QueryView>
      </UnitTabs>
    </>
  );
}

function OneHost({ host, onChoose }: { host: string; onChoose: (id: string) => void }) {
  const shown = useQuery(hostQuery(host));
  return (
    <>
      <div className="kr-below kr-inline">
        <HostChoice name={shown.data?.name ?? ""} onChoose={onChoose} />
        {shown.data !== undefined && (
          <Link to={`/hosts/${host}/units`}>All units of {shown.data.name}</Link>
        )}
      </div>
      <AssignmentMatrix host={host} />
    </>
  );
}
