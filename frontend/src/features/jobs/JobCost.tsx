import {
  Alert,
  Button,
  Card,
  CardBody,
  CardFooter,
  CardTitle,
  List,
  ListItem,
} from "@patternfly/react-core";
import { keepPreviousData, type UseMutationResult, useQuery } from "@tanstack/react-query";
import { asApiError } from "../../api/errors";
import { expectationQuery } from "../../api/queries";
import type { JobDetail, JobInput, Workload } from "../../api/types";
import { formatDuration, plural } from "../../components/format";

interface Props {
  workload: Workload;
  parameters: Record<string, unknown>;
  hosts: number;
  create: UseMutationResult<JobDetail, Error, JobInput>;
  onStart: (skipIneligible: boolean) => void;
}

/** How long it takes, what it loads, what is still wrong, and the one button. */
export function JobCost({ workload, parameters, hosts, create, onStart }: Props) {
  const expectation = useQuery({
    ...expectationQuery(workload.name, parameters),
    placeholderData: keepPreviousData,
  });
  const isReady = hosts > 0 && expectation.isSuccess && !create.isPending;
  return (
    <Card className="kr-sticky">
      <CardTitle component="h2">What it will take</CardTitle>
      <CardBody>
        {expectation.isError ? (
          <Problems error={expectation.error} />
        ) : (
          <p role="status">
            About <strong>{formatDuration(expectation.data?.expected_seconds ?? 0)}</strong> on{" "}
            {hosts === 0 ? "each host" : plural(hosts, "host")}
            {hosts > 1 && ", all at the same time"}.
          </p>
        )}
        <Alert
          component="p"
          isInline
          variant="warning"
          title="It loads the hosts"
          className="kr-above"
        >
          {workload.load}
        </Alert>
        {create.isError && <Refusal error={create.error} onSkip={() => onStart(true)} />}
      </CardBody>
      <CardFooter>
        <Button isDisabled={!isReady} isLoading={create.isPending} onClick={() => onStart(false)}>
          Start on {plural(hosts, "host")}
        </Button>
        {hosts === 0 && <p className="kr-subtle kr-above-small">Choose a host first.</p>}
      </CardFooter>
    </Card>
  );
}

function Problems({ error }: { error: unknown }) {
  const { fields, message } = asApiError(error);
  const lines = Object.entries(fields);
  return (
    <Alert component="p" isInline variant="danger" title="These parameters will not do">
      <List>
        {lines.length === 0 && <ListItem>{message}</ListItem>}
        {lines.map(([path, said]) => (
          <ListItem key={path}>
            <span className="kr-mono">{path.replace(/^parameters\./, "")}</span>: {said}
          </ListItem>
        ))}
      </List>
    </Alert>
  );
}

function Refusal({ error, onSkip }: { error: unknown; onSkip: () => void }) {
  const { code, message } = asApiError(error);
  return (
    <Alert
      component="p"
      isInline
      isLiveRegion
      variant="danger"
      title="The job was not started"
      className="kr-above"
      actionLinks={
        code === "job.host_ineligible" && (
          <Button variant="link" isInline onClick={onSkip}>
            Start it without those hosts
          </Button>
        )
      }
    >
      {message}
    </Alert>
  );
}
