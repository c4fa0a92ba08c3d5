import {
  Alert,
  Card,
  CardBody,
  CardTitle,
  Label,
  List,
  ListItem,
  Stack,
  StackItem,
} from "@patternfly/react-core";
import type { ChangeDetail, ChangePhase, ChangePlan } from "../../api/types";
import { SimulatedLabel } from "../../components/HostName";
import { Mono } from "../../components/Mono";
import { StateLabel } from "../../components/StateLabel";
import { words } from "../../components/format";
import { StepView } from "./StepView";

/** The plan: consequences first, then phases and steps in order, with how far each is. */
export function PlanView({ plan, change }: { plan: ChangePlan; change: ChangeDetail }) {
  return (
    <Card>
      <CardTitle component="h2">
        <span className="kr-inline">
          Plan <StateLabel state={plan.risk} text={`${plan.risk} risk`} />
          {plan.is_simulated && <SimulatedLabel source="simulator" />}
        </span>
      </CardTitle>
      <CardBody>
        <Stack hasGutter>
          <Consequences plan={plan} />
          {plan.phases.map((phase, index) => (
            <StackItem key={phase.digest}>
              <PhaseView phase={phase} number={index} total={plan.phases.length} change={change} />
            </StackItem>
          ))}
        </Stack>
      </CardBody>
    </Card>
  );
}

function Consequences({ plan }: { plan: ChangePlan }) {
  return (
    <>
      {plan.consequences.length > 0 && (
        <StackItem>
          <List isPlain aria-label="Consequences">
            {plan.consequences.map(({ kind, subject, text }) => (
              <ListItem key={`${kind} ${subject} ${text}`}>
                <Label isCompact color="orange">
                  {words(kind)}
                </Label>{" "}
                <Mono>{subject}</Mono> {text}
              </ListItem>
            ))}
          </List>
        </StackItem>
      )}
      {plan.destroys.length > 0 && (
        <StackItem>
          <Alert isInline component="h3" variant="danger" title="Destroyed for good">
            {plan.destroys.join(", ")}
          </Alert>
        </StackItem>
      )}
      {[plan.needs_force, ...plan.warnings].filter(Boolean).map((text) => (
        <StackItem key={text}>
          <Alert isInline isPlain component="p" variant="warning" title={text} />
        </StackItem>
      ))}
    </>
  );
}

interface PhaseProps {
  phase: ChangePhase;
  number: number;
  total: number;
  change: ChangeDetail;
}

function PhaseView({ phase, number, total, change }: PhaseProps) {
  return (
    <section aria-label={`Phase ${String(number + 1)}`}>
      {total > 1 && (
        <h3 className="kr-below">
          Phase {number + 1} of {total}: {phase.title}
        </h3>
      )}
      <Stack hasGutter>
        {phase.steps.map((step, index) => (
          <StackItem key={index}>
            <StepView step={step} number={index} progress={stepProgress(change, number, index)} />
          </StackItem>
        ))}
        {phase.waits_for.length > 0 && (
          <StackItem>
            <Alert
              isInline
              isPlain
              component="p"
              variant="warning"
              title={`Then ${phase.waits_for.join(", ")} has to be rebooted`}
            >
              {phase.wait_text}
            </Alert>
          </StackItem>
        )}
      </Stack>
    </section>
  );
}

/** How far a step is: what is running says it, then what the agent said at the end of its phase. */
function stepProgress(change: ChangeDetail, phase: number, step: number) {
  const told = [change.progress, change.result].find(
    (source) => source.phase === phase && (source.steps?.length ?? 0) > 0,
  );
  return told?.steps?.find((entry) => entry.step === step);
}
