import { Alert, Card, CardBody, CardTitle } from "@patternfly/react-core";
import { useState } from "react";
import type { Host } from "../../api/types";
import { attributeText } from "../../components/Attributes";
import { Facts } from "../../components/Facts";
import { WordLabels } from "../../components/Labels";
import { Mono } from "../../components/Mono";
import { StateLabel } from "../../components/StateLabel";
import { TextField } from "../../components/TextField";
import { AskButton } from "../policy/AskButton";
import { PlanDialog } from "../policy/PlanDialog";

/** The domains' configuration on the service processor; shown where the host has one. */
export function SpconfigCard({ host }: { host: Host }) {
  const { settings } = host;
  const current = settings["spconfig.current"];
  const [isSaving, setIsSaving] = useState(false);
  if (typeof current !== "string") return null;
  const names = listOf(settings["spconfig.names"]);
  const isUnsaved = settings["spconfig.unsaved"] === true;
  return (
    <Card className="kr-below">
      <CardTitle component="h2">
        <span className="kr-inline">
          Configuration on the service processor
          <Saved isUnsaved={settings["spconfig.unsaved"]} />
        </span>
      </CardTitle>
      <CardBody>
        {isUnsaved && (
          <Alert
            isInline
            isPlain
            component="p"
            variant="warning"
            className="kr-below"
            title="The domains are not as any saved configuration has them: a power cycle loses what was changed since."
          />
        )}
        <Facts
          columns={3}
          facts={[
            ["Runs now", <Mono key="c">{current}</Mono>],
            [
              "After a power cycle",
              <Mono key="n">{attributeText(settings["spconfig.next_poweron"] ?? "")}</Mono>,
            ],
            ["Saved", <WordLabels key="s" words={names} name="Saved configurations" />],
          ]}
        />
        <div className="kr-above">
          <AskButton
            host={host.id}
            kind="spconfig.save"
            variant={isUnsaved ? "primary" : "secondary"}
            onClick={() => setIsSaving(true)}
          >
            Save configuration
          </AskButton>
        </div>
        {isSaving && <SaveDialog host={host} names={names} onClose={() => setIsSaving(false)} />}
      </CardBody>
    </Card>
  );
}

function Saved({ isUnsaved }: { isUnsaved: unknown }) {
  if (isUnsaved === true) return <StateLabel state="warning" text="unsaved" />;
  if (isUnsaved === false) return <StateLabel state="ok" text="saved" />;
  return <StateLabel state="unknown" text="not known whether saved" />;
}

interface DialogProps {
  host: Host;
  names: string[];
  onClose: () => void;
}

function SaveDialog({ host, names, onClose }: DialogProps) {
  const [name, setName] = useState("");
  const isTaken = names.includes(name.trim());
  return (
    <PlanDialog
      title="Save the configuration of the domains"
      kind="spconfig.save"
      hosts={[host.id]}
      parameters={name.trim() === "" || isTaken ? null : { name: name.trim() }}
      onClose={onClose}
    >
      <TextField
        id="spconfig-name"
        label="Name"
        value={name}
        onChange={setName}
        isRequired
        error={isTaken ? "There is one of that name, and none is overwritten." : undefined}
        hint="A new name: a configuration that is there is never overwritten."
      />
    </PlanDialog>
  );
}

const listOf = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : []);
