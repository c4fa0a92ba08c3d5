import {
  Alert,
  Card,
  CardBody,
  CardTitle,
  Grid,
  GridItem,
  List,
  ListItem,
  PageSection,
} from "@patternfly/react-core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Link, useParams } from "react-router";
import { domainQuery, lists, matrixQuery } from "../../api/queries";
import type { Domain } from "../../api/types";
import { Facts } from "../../components/Facts";
import { SimulatedLabel } from "../../components/HostName";
import { WordLabels } from "../../components/Labels";
import { CopyableMono, Mono } from "../../components/Mono";
import { NameHeading } from "../../components/NameHeading";
import { PageHead } from "../../components/PageHead";
import { QueryView } from "../../components/QueryView";
import { LoadingLines } from "../../components/States";
import { StateLabel } from "../../components/StateLabel";
import { Time } from "../../components/Time";
import { named } from "../../components/words";
import { AskButton } from "../policy/AskButton";
import { PlanDialog } from "../policy/PlanDialog";
import { DomainState, memoryWords } from "./columns";
import { DOMAIN_KINDS, isPending, numberOf, textOf, unitWords, wordsOf } from "./facts";

export function DomainPage() {
  const { domainId = "" } = useParams();
  const domain = useQuery(domainQuery(domainId));
  return (
    <QueryView
      query={domain}
      what="the domain"
      loading={
        <PageSection isFilled>
          <LoadingLines what="the domain" lines={10} />
        </PageSection>
      }
    >
      {(data) => <DomainView domain={data} />}
    </QueryView>
  );
}

function DomainView({ domain }: { domain: Domain }) {
  return (
    <>
      <PageHead
        title={domain.name}
        heading={<NameHeading text={domain.name} what="the domain’s name" />}
        parent={{ to: "/domains", label: "Domains" }}
        labels={
          <>
            <DomainState domain={domain} />
            {domain.host.is_simulated && <SimulatedLabel />}
          </>
        }
      >
        {named(DOMAIN_KINDS, domain.kind)} of{" "}
        <Link className="kr-mono" to={`/hosts/${domain.host.id}/domains`}>
          {domain.host.name}
        </Link>
      </PageHead>
      <PageSection isFilled>
        <Grid hasGutter>
          {isPending(domain) && (
            <GridItem>
              <PendingAlert domain={domain} />
            </GridItem>
          )}
          <GridItem lg={6}>
            <FactsCard domain={domain} />
          </GridItem>
          <GridItem lg={6}>
            <UnitsCard domain={domain} />
          </GridItem>
          <GridItem>
            <ChangesCard domain={domain} />
          </GridItem>
        </Grid>
      </PageSection>
    </>
  );
}

/** A delayed reconfiguration: what waits, because of which change, and how to drop it. */
function PendingAlert({ domain }: { domain: Domain }) {
  const [isCancelling, setIsCancelling] = useState(false);
  const waiting = useQuery(
    lists.changes({ host: domain.host.id, state: "waiting_reboot", page_size: "5" }),
  );
  return (
    <Alert
      isInline
      component="h2"
      variant="warning"
      title={`A reconfiguration of ${domain.name} waits for its reboot`}
      actionLinks={
        <AskButton
          host={domain.host.id}
          kind="reconf.cancel"
          variant="link"
          isInline
          onClick={() => setIsCancelling(true)}
        >
          Cancel the reconfiguration
        </AskButton>
      }
    >
      Until then it has what it had, and the host takes no change of another domain.
      <List isPlain>
        {(waiting.data?.results ?? []).map((change) => (
          <ListItem key={change.id}>
            <Link to={`/changes/${change.id}`}>{change.sentence}</Link>
          </ListItem>
        ))}
      </List>
      {isCancelling && (
        <PlanDialog
          title={`Cancel the reconfiguration of ${domain.name}`}
          kind="reconf.cancel"
          hosts={[domain.host.id]}
          parameters={{ domain: domain.name }}
          words={[`All that waits for the reboot of ${domain.name} is dropped.`]}
          onClose={() => setIsCancelling(false)}
        />
      )}
    </Alert>
  );
}

function FactsCard({ domain }: { domain: Domain }) {
  const mono = (name: string) => textOf(domain, name) && <Mono>{textOf(domain, name)}</Mono>;
  const cores = wordsOf(domain, "cores");
  return (
    <Card isFullHeight>
      <CardTitle component="h2">Facts</CardTitle>
      <CardBody>
        <Facts
          facts={[
            ["Softstate", textOf(domain, "softstate")],
            [
              "Flags",
              wordsOf(domain, "flags").length > 0 && (
                <WordLabels words={wordsOf(domain, "flags")} name="Flags" />
              ),
            ],
            ["Virtual CPUs", numberOf(domain, "vcpu")],
            ["Strands", mono("strands")],
            ["Cores", cores.length > 0 && <Mono>{cores.join(", ")}</Mono>],
            ["Memory", memoryWords(domain)],
            ["Console", mono("console")],
            ["Key", <CopyableMono key="k" text={domain.key} name="the key" />],
            ["First seen", <Time key="f" at={domain.first_seen_at} />],
            ["Gone", domain.gone_at && <Time at={domain.gone_at} />],
          ].filter((fact): fact is [string, string] => fact[1] !== false)}
        />
      </CardBody>
    </Card>
  );
}

function UnitsCard({ domain }: { domain: Domain }) {
  const units = useQuery(lists.units({ domain: domain.id, page_size: "100", ordering: "name" }));
  const most = numberOf(domain, "max_units");
  return (
    <Card isFullHeight>
      <CardTitle component="h2">Crypto units</CardTitle>
      <CardBody>
        <Facts
          facts={[
            ["Has", unitWords(domain)],
            ["Most that its cores allow", most],
          ]}
        />
        <div className="kr-above">
          <QueryView query={units} what="the units" lines={2}>
            {({ results, count }) =>
              count === 0 ? (
                <p>It has no crypto unit.</p>
              ) : (
                <List isPlain>
                  {results.map((unit) => (
                    <ListItem key={unit.id}>
                      <Mono>{unit.name}</Mono>{" "}
                      <span className="kr-subtle">{unit.features.join(", ")}</span>
                    </ListItem>
                  ))}
                </List>
              )
            }
          </QueryView>
        </div>
        <p className="kr-above">
          <Link to={`/units/matrix?host=${domain.host.id}`}>Assignment matrix</Link>
        </p>
      </CardBody>
    </Card>
  );
}

function ChangesCard({ domain }: { domain: Domain }) {
  const matrix = useQuery(matrixQuery(domain.host.id));
  return (
    <Card>
      <CardTitle component="h2">Open changes of this host’s domains</CardTitle>
      <CardBody>
        <QueryView query={matrix} what="the changes" lines={2}>
          {({ open_changes: open }) =>
            open.length === 0 ? (
              <p>
                None. <Link to={`/hosts/${domain.host.id}/changes`}>All changes of the host</Link>
              </p>
            ) : (
              <List isPlain>
                {open.map(({ id, sentence, state, created_at: at }) => (
                  <ListItem key={id}>
                    <span className="kr-inline">
                      <Link to={`/changes/${id}`}>{sentence}</Link>
                      <StateLabel state={state} />
                      <Time at={at} />
                    </span>
                  </ListItem>
                ))}
              </List>
            )
          }
        </QueryView>
      </CardBody>
    </Card>
  );
}
