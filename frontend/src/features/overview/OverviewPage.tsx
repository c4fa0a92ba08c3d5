import { Card, CardBody, CardTitle, Grid, GridItem, PageSection } from "@patternfly/react-core";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { overviewQuery } from "../../api/queries";
import type { Overview } from "../../api/types";
import { PageHead } from "../../components/PageHead";
import { QueryView } from "../../components/QueryView";
import { EmptyView } from "../../components/States";
import { EnrolButton } from "../hosts/EnrolButton";
import { Attention } from "./Attention";
import { FleetStrip } from "./FleetStrip";
import { LastJobs } from "./LastJobs";
import { UnitKinds } from "./UnitKinds";

/** What needs a person now, then the fleet, then what was measured last. */
export function OverviewPage() {
  const overview = useQuery(overviewQuery());
  return (
    <>
      <PageHead title="Overview" />
      <PageSection isFilled>
        <QueryView query={overview} what="the overview" lines={14}>
          {(data) => (isEmpty(data) ? <FirstStep /> : <Cards overview={data} />)}
        </QueryView>
      </PageSection>
    </>
  );
}

function isEmpty({ hosts }: Overview): boolean {
  return hosts.every(({ count }) => count === 0);
}

function FirstStep() {
  return (
    <EmptyView title="No host yet" action={<EnrolButton />}>
      Keyrack shows the cryptographic resources of the hosts that run its agent. Enrol a first one:
      it takes one command on the host.
    </EmptyView>
  );
}

function Cards({ overview }: { overview: Overview }) {
  return (
    <Grid hasGutter>
      <GridItem>
        <Section title="What needs you now">
          <Attention overview={overview} />
        </Section>
      </GridItem>
      <GridItem>
        <Section title="The fleet">
          <FleetStrip overview={overview} />
        </Section>
      </GridItem>
      <GridItem xl2={6}>
        <Section title="Last jobs">
          <LastJobs jobs={overview.recent_jobs} />
        </Section>
      </GridItem>
      <GridItem xl2={6}>
        <Section title="Crypto units by kind">
          <UnitKinds kinds={overview.units} />
        </Section>
      </GridItem>
    </Grid>
  );
}

function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Card isFullHeight>
      <CardTitle component="h2">{title}</CardTitle>
      <CardBody>{children}</CardBody>
    </Card>
  );
}
