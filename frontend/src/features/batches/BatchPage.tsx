import {
  DescriptionList,
  DescriptionListDescription,
  DescriptionListGroup,
  DescriptionListTerm,
  PageSection,
} from "@patternfly/react-core";
import { useQuery } from "@tanstack/react-query";
import { useParams } from "react-router";
import { batchQuery, lists } from "../../api/queries";
import type { Batch } from "../../api/types";
import { ResourceList } from "../../components/list/ResourceList";
import { Mono } from "../../components/Mono";
import { PageHead } from "../../components/PageHead";
import { QueryView } from "../../components/QueryView";
import { EmptyView } from "../../components/States";
import { Time } from "../../components/Time";
import { CHANGE_STATES, wordOptions } from "../../components/words";
import { CHANGE_COLUMNS, changeHostColumn } from "../changes/columns";
import { PauseBanner } from "../changes/PauseBanner";
import { BatchActions } from "./BatchActions";
import { BatchCounts } from "./BatchCounts";

export function BatchPage() {
  const { batchId = "" } = useParams();
  const batch = useQuery(batchQuery(batchId));
  return (
    <QueryView query={batch} what="the batch">
      {(data) => <BatchView batch={data} />}
    </QueryView>
  );
}

function BatchView({ batch }: { batch: Batch }) {
  return (
    <>
      <PageHead
        title={batch.title}
        parent={{ to: "/changes/batches", label: "Batches" }}
        actions={<BatchActions batch={batch} />}
      >
        {batch.sentence}
      </PageHead>
      <PageSection>
        <PauseBanner />
        <Facts batch={batch} />
      </PageSection>
      <PageSection isFilled>
        <ResourceList
          title="Changes of this batch"
          path="/api/v1/changes/"
          query={lists.changes}
          fixed={{ batch: batch.id }}
          columns={[changeHostColumn, ...CHANGE_COLUMNS]}
          filters={[
            { kind: "text", name: "search", label: "Host or sentence" },
            { kind: "choices", name: "state", label: "State", options: wordOptions(CHANGE_STATES) },
          ]}
          defaultOrdering="-created_at"
          rowKey={(change) => change.id}
          empty={<EmptyView title="No change">None of the hosts took it.</EmptyView>}
        />
      </PageSection>
    </>
  );
}

function Facts({ batch }: { batch: Batch }) {
  const facts = [
    { term: "States", text: <BatchCounts batch={batch} /> },
    { term: "Reason", text: batch.reason },
    {
      term: "Asked for",
      text: (
        <>
          by <Mono>{batch.requested_by_name}</Mono> <Time at={batch.created_at} />
        </>
      ),
    },
    { term: "Parameters", text: <Mono>{JSON.stringify(batch.parameters)}</Mono> },
  ];
  return (
    <DescriptionList isHorizontal isCompact>
      {facts.map(({ term, text }) => (
        <DescriptionListGroup key={term}>
          <DescriptionListTerm>{term}</DescriptionListTerm>
          <DescriptionListDescription>{text}</DescriptionListDescription>
        </DescriptionListGroup>
      ))}
    </DescriptionList>
  );
}
