import {
  Alert,
  Button,
  Card,
  CardBody,
  CardFooter,
  CardTitle,
  ClipboardCopy,
  Flex,
  Spinner,
} from "@patternfly/react-core";
import { useQuery } from "@tanstack/react-query";
import { enrolmentTokenQuery, lists } from "../../api/queries";
import type { EnrolmentTokenCreated, Host } from "../../api/types";
import { formatCount, plural } from "../../components/format";
import { HostName } from "../../components/HostName";
import { StateLabel } from "../../components/StateLabel";
import { Time } from "../../components/Time";

interface Props {
  created: EnrolmentTokenCreated;
  onAnother: () => void;
}

export function EnrolCommand({ created, onAnother }: Props) {
  const { command, note } = created.install;
  return (
    <Card>
      <CardTitle component="h2">Run this on the host</CardTitle>
      <CardBody>
        {command !== "" && (
          <ClipboardCopy
            isReadOnly
            isCode
            isExpanded
            variant="expansion"
            hoverTip="Copy the command"
            clickTip="Copied"
            textAriaLabel="The command that enrols the host"
            copyAriaLabel="Copy the command"
            toggleAriaLabel="Show the whole command"
          >
            {command}
          </ClipboardCopy>
        )}
        {note !== "" && (
          <Alert
            component="p"
            isInline
            isPlain
            className="kr-above"
            variant={command === "" ? "danger" : "info"}
            title={note}
          />
        )}
        <p className="kr-above">
          It is shown now and never again. It is good for {plural(created.max_uses, "host")} and
          expires <Time at={created.expires_at} />.
        </p>
      </CardBody>
      <CardBody>
        <Arrivals created={created} />
      </CardBody>
      <CardFooter>
        <Button variant="link" isInline onClick={onAnother}>
          Make another command
        </Button>
      </CardFooter>
    </Card>
  );
}

/** Waits for the token to be used and shows who came. */
function Arrivals({ created }: { created: EnrolmentTokenCreated }) {
  const token = useQuery(enrolmentTokenQuery(created.id));
  const used = token.data?.use_count ?? 0;
  const hosts = useQuery({
    ...lists.hosts({
      ordering: "-enrolled_at",
      page_size: String(Math.max(1, Math.min(used, 50))),
    }),
    enabled: used > 0,
  });
  const arrived = (hosts.data?.results ?? []).filter(
    (host) => host.enrolled_at >= created.created_at,
  );
  return (
    <div role="status" aria-live="polite">
      {used === 0 ? (
        <Flex gap={{ default: "gapSm" }} alignItems={{ default: "alignItemsCenter" }}>
          <Spinner size="md" aria-label="Waiting" />
          <span>
            Waiting for the host to appear. You may leave this page; it will appear anyway.
          </span>
        </Flex>
      ) : (
        <Alert
          component="p"
          isInline
          variant="success"
          title={`${formatCount(used)} of ${plural(created.max_uses, "host")} enrolled`}
        >
          <ul className="kr-plain-list">
            {arrived.map((host) => (
              <li key={host.id}>
                <Arrival host={host} />
              </li>
            ))}
          </ul>
        </Alert>
      )}
    </div>
  );
}

function Arrival({ host }: { host: Host }) {
  return (
    <>
      <HostName host={host} /> <StateLabel state={host.state} />{" "}
      {host.first_inventory_at === null ? (
        "enrolled; its first inventory is on the way"
      ) : (
        <>
          enrolled, first inventory <Time at={host.first_inventory_at} />
        </>
      )}
    </>
  );
}
