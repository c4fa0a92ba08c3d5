import { Button } from "@patternfly/react-core";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { enrolmentTokenRevoke } from "../../api/mutations";
import { lists } from "../../api/queries";
import type { EnrolmentToken } from "../../api/types";
import { ConfirmDialog } from "../../components/ConfirmDialog";
import { formatCount } from "../../components/format";
import { KeyValueLabels } from "../../components/Labels";
import { ResourceList } from "../../components/list/ResourceList";
import type { Column } from "../../components/list/types";
import { Mono } from "../../components/Mono";
import { StateLabel } from "../../components/StateLabel";
import { EmptyView } from "../../components/States";
import { Time } from "../../components/Time";
import { wordOptions } from "../../components/words";
import { EnrolButton } from "../hosts/EnrolButton";

const COLUMNS: Column<EnrolmentToken>[] = [
  { title: "For", orderBy: "name", cell: (token) => token.name },
  { title: "Begins with", cell: (token) => <Mono>{token.hint}…</Mono> },
  { title: "State", cell: (token) => <StateLabel state={token.state} /> },
  {
    title: "Hosts enrolled",
    isNumeric: true,
    cell: (token) => `${formatCount(token.use_count)} of ${formatCount(token.max_uses)}`,
  },
  { title: "Labels", cell: (token) => <KeyValueLabels labels={token.labels} /> },
  {
    title: "Made by",
    cell: (token) => token.created_by && <Mono>{token.created_by.username}</Mono>,
  },
  {
    title: "Made",
    orderBy: "created_at",
    isTight: true,
    cell: (token) => <Time at={token.created_at} />,
  },
  {
    title: "Expires",
    orderBy: "expires_at",
    isTight: true,
    cell: (token) => <Time at={token.expires_at} />,
  },
];

export function EnrolmentTokensTab() {
  const [revoking, setRevoking] = useState<EnrolmentToken | null>(null);
  const actions: Column<EnrolmentToken> = {
    title: "Actions",
    isActions: true,
    cell: (token) =>
      token.state === "active" &&
      token.capabilities["enrolment_token.manage"] && (
        <Button variant="link" isDanger isInline onClick={() => setRevoking(token)}>
          Revoke
        </Button>
      ),
  };
  return (
    <>
      <ResourceList
        title="Enrolment tokens"
        path="/api/v1/enrolment-tokens/"
        query={lists.enrolmentTokens}
        columns={[...COLUMNS, actions]}
        filters={[
          { kind: "text", name: "search", label: "Name or maker" },
          {
            kind: "choice",
            name: "state",
            label: "State",
            options: wordOptions(["active", "used_up", "expired", "revoked"]),
          },
        ]}
        defaultOrdering="-created_at"
        rowKey={(token) => token.id}
        actions={<EnrolButton />}
        empty={
          <EmptyView title="No enrolment token yet" action={<EnrolButton />}>
            An enrolment token lets a machine become a host. It is part of the command that “Enrol
            host” shows.
          </EmptyView>
        }
      />
      {revoking !== null && <RevokeDialog token={revoking} onClose={() => setRevoking(null)} />}
    </>
  );
}

function RevokeDialog({ token, onClose }: { token: EnrolmentToken; onClose: () => void }) {
  const revoke = useMutation({
    mutationFn: () => enrolmentTokenRevoke(token.id),
    onSuccess: onClose,
  });
  return (
    <ConfirmDialog
      title="Revoke this enrolment token?"
      action="Revoke"
      isDanger
      mutation={revoke}
      onClose={onClose}
    >
      The command with <Mono>{token.hint}…</Mono> enrols no further host. Hosts that it has enrolled
      stay.
    </ConfirmDialog>
  );
}
