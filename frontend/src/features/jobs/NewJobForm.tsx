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
import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useNavigate, useSearchParams } from "react-router";
import { jobCreate } from "../../api/mutations";
import { eligibilityQuery } from "../../api/queries";
import type { Eligibility, Workload } from "../../api/types";
import { QueryView } from "../../components/QueryView";
import { EmptyView } from "../../components/States";
import { TextField } from "../../components/TextField";
import { EnrolButton } from "../hosts/EnrolButton";
import { HostPicker } from "./HostPicker";
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
  const eligibility = useQuery(eligibilityQuery(workload.name));
  return (
    <QueryView query={eligibility} what="the hosts" lines={8}>
      {(answers) =>
        answers.length === 0 ? (
          <GridItem>
            <EmptyView title="No host yet" action={<EnrolButton />}>
              A job needs a host in service.
            </EmptyView>
          </GridItem>
        ) : (
          <Details workload={workload} answers={answers} />
        )
      }
    </QueryView>
  );
}

/** Hosts chosen, in the URL. A lone eligible host is chosen from the start. */
function useChosenHosts(answers: Eligibility[]): [Set<string>, (ids: Set<string>) => void] {
  const [params, setParams] = useSearchParams();
  const eligible = new Set(answers.filter((a) => a.is_eligible).map(({ host }) => host.id));
  const named = params.get("hosts");
  const wanted = named === null ? (eligible.size === 1 ? [...eligible] : []) : named.split(",");
  const choose = (ids: Set<string>) =>
    setParams(
      (before) => {
        before.set("hosts", [...ids].join(","));
        return before;
      },
      { replace: true, preventScrollReset: true },
    );
  return [new Set(wanted.filter((id) => eligible.has(id))), choose];
}

function Details({ workload, answers }: { workload: Workload; answers: Eligibility[] }) {
  const navigate = useNavigate();
  const [name, setName] = useState("");
  const [parameters, setParameters] = useState<Record<string, unknown>>(workload.defaults);
  const [chosen, choose] = useChosenHosts(answers);
  const create = useMutation({
    mutationFn: jobCreate,
    onSuccess: (job) => navigate(`/jobs/${job.id}`),
  });
  const onHosts = answers.filter(({ host }) => chosen.has(host.id));
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
            <HostPicker answers={answers} chosen={chosen} onChoose={choose} />
          </CardBody>
        </Card>
        <HowCard
          workload={workload}
          answers={onHosts.length > 0 ? onHosts : answers.filter((each) => each.is_eligible)}
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
