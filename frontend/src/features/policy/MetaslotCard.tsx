import { Card, CardBody, CardTitle } from "@patternfly/react-core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { lists } from "../../api/queries";
import type { Host, Metaslot } from "../../api/types";
import { Facts } from "../../components/Facts";
import { WordLabels } from "../../components/Labels";
import { Mono } from "../../components/Mono";
import { StateLabel } from "../../components/StateLabel";
import { AskButton } from "./AskButton";
import { type MetaslotAction, MetaslotDialog } from "./MetaslotDialog";
import { MetaslotState } from "./MetaslotState";

/** The host's metaslot as configured and as found; nothing where the host has none. */
export function MetaslotCard({ host }: { host: Host }) {
  const metaslots = useQuery(lists.metaslots({ host: host.id }));
  const metaslot = metaslots.data?.results[0];
  return metaslot === undefined ? null : <OneMetaslot host={host} metaslot={metaslot} />;
}

function OneMetaslot({ host, metaslot }: { host: Host; metaslot: Metaslot }) {
  const [action, setAction] = useState<MetaslotAction | null>(null);
  const { status, actual, token, slot, mechanisms } = metaslot;
  const turn: MetaslotAction = status === "enabled" ? "metaslot.disable" : "metaslot.enable";
  return (
    <Card className="kr-below">
      <CardTitle component="h2">Metaslot</CardTitle>
      <CardBody>
        <Facts
          columns={3}
          facts={[
            ["Configured", <StateLabel key="s" state={status} />],
            ["As programs find it", <MetaslotState key="a" status={status} actual={actual} />],
            ["Automatic key migration", metaslot.auto_key_migrate],
            ["Token", token && <Mono>{token}</Mono>],
            ["Slot", slot && <Mono>{slot}</Mono>],
            ["Mechanisms", <WordLabels key="m" words={mechanisms} name="Metaslot’s mechanisms" />],
          ]}
        />
        <div className="kr-above kr-inline">
          <AskButton
            host={host.id}
            kind="metaslot.configure"
            variant="secondary"
            onClick={() => setAction("metaslot.configure")}
          >
            Configure
          </AskButton>
          <AskButton host={host.id} kind={turn} variant="link" onClick={() => setAction(turn)}>
            {turn === "metaslot.enable" ? "Enable" : "Disable"}
          </AskButton>
        </div>
        {action !== null && (
          <MetaslotDialog action={action} hosts={[host]} onClose={() => setAction(null)} />
        )}
      </CardBody>
    </Card>
  );
}
