/** Workload, hosts, parameters, and what it will cost, on one page; what is chosen stands in the URL. */
import {
  Alert,
  Card,
  CardBody,
  CardTitle,
  Form,
  Grid,
  GridItem,
  Radio,
} from "@patternfly/react-core";
import { keepPreviousData, useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useNavigate, useSearchParams } from "react-router";
import { jobCreate } from "../../api/mutations";
import { eligibilityQuery } from "../../api/queries";
import type { Eligibility, Workload } from "../../api/types";
import type { Page } from "../../components/list/types";
import { QueryView } from "../../components/QueryView";
import { EmptyView } from "../../components/States";
import { TextField } from "../../components/TextField";
import { EnrolButton } from "../hosts/EnrolButton";
import { HostPicker, MOST_HOSTS } from "./HostPicker";
import { JobCost } from "./JobCost";
import { ParameterFields } from "./ParameterFields";
import { readSchema } from "./parameterSchema";

export function NewJobForm({ catalogue }: { catalogue: Workload[] }) {
  const [params, setParams] = useSearchParams();
  const workload = catalogue.find(({ name }) => name === params.get("workload")) ?? catalogue[0];
  if (workload === undefined) {
    return <EmptyView title="The catalogue is empty">This console knows no workload.</EmptyView>;
  }
  return (
    <Grid hasGutter>
      <GridItem>
        <Card>
          <CardTitle component="h2">What to measure</CardTitle>
          <CardBody>
            {catalogue.map(({ name, title, sentence }) => (
              <Radio
                key={name}
                id={`workload-${name}`}
                name="workload"
                label={title}
                description={sentence}
                isChecked={name === workload.name}
                onChange={() =>
                  setParams((before) => {
                    before.set("workload", name);
                    return before;
                  })
                }
              />
            ))}
          </CardBody>
        </Card>
      </GridItem>
      <WorkloadForm key={workload.name} workload={workload} />
    </Grid>
  );
}

function WorkloadForm({ workload }: { workload: Workload }) {
  const [search, setSearch] = useState("");
  const eligibility = useQuery({
    ...eligibilityQuery(workload.name, { search, page_size: 50 }),
    placeholderData: keepPreviousData,
  });
  return (
    <QueryView query={eligibility} what="the hosts" lines={8}>
      {(page) =>
        page.count === 0 && search === "" ? (
          <GridItem>
            <EmptyView title="No host yet" action={<EnrolButton />}>
              A job needs a host in service.
            </EmptyView>
          </GridItem>
        ) : (
          <Details workload={workload} page={page} search={search} onSearch={setSearch} />
        )
      }
    </QueryView>
  );
}

/**
 * Hosts chosen, in the URL, with what is known of them. A lone eligible host is chosen from the
 * start; one that cannot do it is not taken over from the URL.
 */
function useChosenHosts(workload: string, page: Page<Eligibility>, search: string) {
  const [params, setParams] = useSearchParams();
  const named = params.get("hosts");
  const eligible = page.results.filter((answer) => answer.is_eligible);
  const isWhole = search === "" && page.count === page.results.length;
  const wanted =
    named === null
      ? isWhole && eligible.length === 1
        ? eligible.map(({ host }) => host.id)
        : []
      : named
          .split(",")
          .filter((id) => id !== "")
          .slice(0, MOST_HOSTS);
  const asked = useQuery({
    ...eligibilityQuery(workload, { host: wanted, page_size: MOST_HOSTS }),
    enabled: wanted.length > 0,
    placeholderData: keepPreviousData,
  });
  const known = new Map<string, Eligibility>();
  for (const answer of [...(asked.data?.results ?? []), ...page.results]) {
    known.set(answer.host.id, answer);
  }
  const choose = (ids: Set<string>) =>
    setParams(
      (before) => {
        before.set("hosts", [...ids].join(","));
        return before;
      },
      { replace: true, preventScrollReset: true },
    );
  const answers = wanted.flatMap((id) => known.get(id) ?? []).filter((each) => each.is_eligible);
  return { answers, chosen: new Set(answers.map(({ host }) => host.id)), choose };
}

interface DetailsProps {
  workload: Workload;
  page: Page<Eligibility>;
  search: string;
  onSearch: (search: string) => void;
}

function Details({ workload, page, search, onSearch }: DetailsProps) {
  const navigate = useNavigate();
  const [name, setName] = useState("");
  const [parameters, setParameters] = useState<Record<string, unknown>>(workload.defaults);
  const { answers, chosen, choose } = useChosenHosts(workload.name, page, search);
  const create = useMutation({
    mutationFn: jobCreate,
    onSuccess: (job) => navigate(`/jobs/${job.id}`),
  });
  const start = (skipIneligible: boolean) =>
    create.mutate({
      workload: workload.name,
      hosts: [...chosen],
      parameters,
      name: name.trim(),
      skip_ineligible: skipIneligible,
    });
  return (
    <>
      <GridItem lg={8}>
        <Card className="kr-below">
          <CardTitle component="h2">Where</CardTitle>
          <CardBody>
            <HostPicker
              page={page}
              search={search}
              onSearch={(text) => {
                // What was chosen by itself stays chosen while one looks for another.
                if (chosen.size > 0) choose(chosen);
                onSearch(text);
              }}
              chosen={chosen}
              onChoose={choose}
            />
          </CardBody>
        </Card>
        <HowCard
          workload={workload}
          answers={answers.length > 0 ? answers : page.results.filter((each) => each.is_eligible)}
          parameters={parameters}
          onParameters={setParameters}
          name={name}
          onName={setName}
        />
      </GridItem>
      <GridItem lg={4}>
        <JobCost
          workload={workload}
          parameters={parameters}
          hosts={chosen.size}
          create={create}
          onStart={start}
        />
      </GridItem>
    </>
  );
}

interface HowProps {
  workload: Workload;
  /** The hosts whose choices are offered. */
  answers: Eligibility[];
  parameters: Record<string, unknown>;
  onParameters: (parameters: Record<string, unknown>) => void;
  name: string;
  onName: (name: string) => void;
}

function HowCard({ workload, answers, parameters, onParameters, name, onName }: HowProps) {
  const variants = workload.variants.map(({ title }) => `“${title}”`).join(" with ");
  return (
    <Card>
      <CardTitle component="h2">How</CardTitle>
      <CardBody>
        <Form onSubmit={(event) => event.preventDefault()}>
          <Alert
            component="p"
            isInline
            isPlain
            variant="info"
            title={`Compares ${variants}, interleaved in pairs.`}
          />
          <ParameterFields
            fields={readSchema(workload.schema)}
            values={parameters}
            answers={answers}
            onChange={onParameters}
          />
          <TextField
            id="job-name"
            label="Name of the job"
            hint="To find it again; may be left empty."
            value={name}
            onChange={onName}
            autoComplete="off"
          />
        </Form>
      </CardBody>
    </Card>
  );
}
