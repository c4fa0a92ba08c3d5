/** Kind, hosts, parameters and reason on one page; kind and hosts stand in the URL. */
import {
  Card,
  CardBody,
  CardTitle,
  Content,
  Form,
  FormGroup,
  Grid,
  GridItem,
  Switch,
  TextArea,
} from "@patternfly/react-core";
import {
  keepPreviousData,
  useMutation,
  type UseMutationResult,
  useQuery,
} from "@tanstack/react-query";
import { useState } from "react";
import { useNavigate, useSearchParams } from "react-router";
import { asApiError } from "../../api/errors";
import { kindEligibilityQuery } from "../../api/queries";
import type { Kind } from "../../api/types";
import { ChoiceField } from "../../components/ChoiceField";
import { FailureAlert } from "../../components/FailureAlert";
import { plural } from "../../components/format";
import { GuardedButton } from "../../components/GuardedButton";
import { Mono } from "../../components/Mono";
import { QueryView } from "../../components/QueryView";
import { TextField } from "../../components/TextField";
import { HostPicker } from "../jobs/HostPicker";
import { askFor } from "./askFor";
import { ChangeFields } from "./ChangeFields";
import { type ChangeField, type Read, readFields, readTyped, type Typed } from "./changeForm";

/** A batch from here: the ids of its hosts are chosen by hand. The API takes any number. */
const MOST_HOSTS = 1000;

export function NewChangeForm({ catalogue }: { catalogue: Kind[] }) {
  const [params, setParams] = useSearchParams();
  const kind = catalogue.find(({ name }) => name === params.get("kind")) ?? catalogue[0];
  if (kind === undefined) return null;
  return (
    <Grid hasGutter>
      <GridItem>
        <Card>
          <CardTitle component="h2">What</CardTitle>
          <CardBody>
            <ChoiceField
              id="change-kind"
              label="Kind of change"
              value={kind.name}
              options={catalogue.map(({ name, title, platforms }) => ({
                value: name,
                label: `${title} (${name}; ${platforms.join(", ")})`,
              }))}
              onChange={(name) =>
                setParams((before) => {
                  before.set("kind", name);
                  return before;
                })
              }
              hint={kind.sentence}
            />
          </CardBody>
        </Card>
      </GridItem>
      <KindForm key={kind.name} kind={kind} />
    </Grid>
  );
}

/** Hosts chosen, in the URL. */
function useHosts() {
  const [params, setParams] = useSearchParams();
  const chosen = new Set((params.get("hosts") ?? "").split(",").filter((id) => id !== ""));
  const choose = (ids: Set<string>) =>
    setParams(
      (before) => {
        before.set("hosts", [...ids].join(","));
        return before;
      },
      { replace: true, preventScrollReset: true },
    );
  return { chosen, choose };
}

function KindForm({ kind }: { kind: Kind }) {
  const navigate = useNavigate();
  const { chosen, choose } = useHosts();
  const [typed, setTyped] = useState<Typed>({});
  const [json, setJson] = useState<string | null>(null);
  const [reason, setReason] = useState("");
  const fields = readFields(kind.parameters_schema);
  const read = json === null ? readTyped(fields, typed) : readJson(json);
  const ask = useMutation({
    mutationFn: () => askFor(kind.name, [...chosen], read.parameters, reason),
    onSuccess: (address) => navigate(address),
  });
  return (
    <>
      <GridItem lg={8}>
        <Card className="kr-below">
          <CardTitle component="h2">Where</CardTitle>
          <CardBody>
            <Hosts kind={kind.name} chosen={chosen} onChoose={choose} />
          </CardBody>
        </Card>
        <HowCard
          fields={fields}
          typed={typed}
          json={json}
          problems={{ ...read.problems, ...refused(ask.error) }}
          onTyped={setTyped}
          onJson={setJson}
          asJson={() => JSON.stringify(read.parameters, null, 2)}
        />
      </GridItem>
      <GridItem lg={4}>
        <WhyCard
          hosts={chosen.size}
          reason={reason}
          onReason={setReason}
          whyNot={firstLack(chosen.size, read, reason)}
          ask={ask}
        />
      </GridItem>
    </>
  );
}

interface HowProps {
  fields: ChangeField[];
  typed: Typed;
  /** What is typed as JSON; null: the fields count. */
  json: string | null;
  problems: Record<string, string>;
  onTyped: (typed: Typed) => void;
  onJson: (json: string | null) => void;
  asJson: () => string;
}

function HowCard({ fields, typed, json, problems, onTyped, onJson, asJson }: HowProps) {
  return (
    <Card>
      <CardTitle component="h2">How</CardTitle>
      <CardBody>
        <Form onSubmit={(event) => event.preventDefault()}>
          {json !== null ? (
            <JsonField value={json} problem={problems[""]} onChange={onJson} />
          ) : fields.length === 0 ? (
            <Content component="p">It takes no parameters.</Content>
          ) : (
            <ChangeFields fields={fields} typed={typed} problems={problems} onChange={onTyped} />
          )}
          <Switch
            id="change-as-json"
            label="As JSON, as the API takes it"
            isChecked={json !== null}
            onChange={(_event, isOn) => onJson(isOn ? asJson() : null)}
          />
        </Form>
      </CardBody>
    </Card>
  );
}

interface WhyProps {
  hosts: number;
  reason: string;
  onReason: (reason: string) => void;
  /** Why it cannot be planned yet; empty: it can. */
  whyNot: string;
  ask: UseMutationResult<string, Error, void>;
}

function WhyCard({ hosts, reason, onReason, whyNot, ask }: WhyProps) {
  return (
    <Card>
      <CardTitle component="h2">Why</CardTitle>
      <CardBody>
        <Form
          onSubmit={(event) => {
            event.preventDefault();
            if (whyNot === "" && !ask.isPending) ask.mutate();
          }}
        >
          <TextField
            id="change-reason"
            label="Reason"
            value={reason}
            onChange={onReason}
            isRequired
            hint="Whoever approves it, and whoever reads the audit, wants to know."
          />
          <FailureAlert title="It could not be asked for" mutation={ask} />
          <GuardedButton
            type="submit"
            variant="primary"
            isAllowed={whyNot === ""}
            reason={whyNot}
            isLoading={ask.isPending}
            isDisabled={ask.isPending}
          >
            {hosts > 1 ? `Plan on ${plural(hosts, "host")}` : "Plan"}
          </GuardedButton>
          {hosts > 1 && (
            <Content component="small">
              Each host gets a change of its own, with its own plan; together they are a batch.
            </Content>
          )}
        </Form>
      </CardBody>
    </Card>
  );
}

interface HostsProps {
  kind: string;
  chosen: Set<string>;
  onChoose: (ids: Set<string>) => void;
}

function Hosts({ kind, chosen, onChoose }: HostsProps) {
  const [search, setSearch] = useState("");
  const eligibility = useQuery({
    ...kindEligibilityQuery(kind, { search, page_size: 100 }),
    placeholderData: keepPreviousData,
  });
  return (
    <QueryView query={eligibility} what="the hosts" lines={6}>
      {(page) => (
        <HostPicker
          page={page}
          search={search}
          onSearch={setSearch}
          chosen={chosen}
          most={MOST_HOSTS}
          what="A batch made here"
          onChoose={onChoose}
        />
      )}
    </QueryView>
  );
}

interface JsonProps {
  value: string;
  problem: string | undefined;
  onChange: (value: string) => void;
}

function JsonField({ value, problem, onChange }: JsonProps) {
  return (
    <FormGroup label="Parameters (JSON)" fieldId="change-parameters">
      <TextArea
        id="change-parameters"
        className="kr-mono"
        rows={6}
        value={value}
        validated={problem === undefined ? "default" : "error"}
        onChange={(_event, text) => onChange(text)}
        resizeOrientation="vertical"
      />
      {problem !== undefined && <Mono>{problem}</Mono>}
    </FormGroup>
  );
}

function readJson(text: string): Read {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === "object" && value !== null && !Array.isArray(value)) {
      return { parameters: value as Record<string, unknown>, problems: {} };
    }
    return { parameters: {}, problems: { "": "It has to be an object: {…}." } };
  } catch (error) {
    return { parameters: {}, problems: { "": String(error) } };
  }
}

/** What the console refused, by the path of its field: `parameters.counts.ldg1` is `counts`. */
function refused(error: unknown): Record<string, string> {
  if (error === null) return {};
  return Object.fromEntries(
    Object.entries(asApiError(error).fields).map(([path, text]) => [
      path.replace(/^parameters\./, "").replace(/^(counts|vcpus|units)\..*/, "$1"),
      text,
    ]),
  );
}

/** Why it cannot be planned yet; empty: it can. */
function firstLack(hosts: number, read: Read, reason: string): string {
  if (hosts === 0) return "Choose a host first.";
  if (Object.keys(read.problems).length > 0) return "Some parameters are missing or wrong.";
  return reason.trim() === "" ? "Give a reason first." : "";
}
