import { Button } from "@patternfly/react-core";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { apiTokenRevoke } from "../../api/mutations";
import { lists } from "../../api/queries";
import type { ApiToken } from "../../api/types";
import { ConfirmDialog } from "../../components/ConfirmDialog";
import { ResourceList } from "../../components/list/ResourceList";
import type { Column } from "../../components/list/types";
import { Mono } from "../../components/Mono";
import { StateLabel } from "../../components/StateLabel";
import { EmptyView } from "../../components/States";
import { Time } from "../../components/Time";
import { wordOptions } from "../../components/words";
import { ApiTokenCreateDialog } from "./ApiTokenCreateDialog";

const COLUMNS: Column<ApiToken>[] = [
  { title: "Name", orderBy: "name", cell: (token) => token.name },
  { title: "Begins with", cell: (token) => <Mono>{token.hint}…</Mono> },
  { title: "User", orderBy: "user", cell: (token) => <Mono>{token.user.username}</Mono> },
  { title: "State", cell: (token) => <StateLabel state={token.state} /> },
  {
    title: "Created",
    orderBy: "created_at",
    isTight: true,
    cell: (token) => <Time at={token.created_at} />,
  },
  {
    title: "Last used",
    orderBy: "last_used_at",
    isTight: true,
    cell: (token) => <Time at={token.last_used_at} />,
  },
  {
    title: "Expires",
    orderBy: "expires_at",
    isTight: true,
    cell: (token) => <Time at={token.expires_at} />,
  },
];

export function ApiTokensTab() {
  const [isCreating, setIsCreating] = useState(false);
  const [revoking, setRevoking] = useState<ApiToken | null>(null);
  const newToken = <Button onClick={() => setIsCreating(true)}>New API token</Button>;
  return (
    <>
      <ResourceList
        title="API tokens"
        path="/api/v1/api-tokens/"
        query={lists.apiTokens}
        columns={[...COLUMNS, revokeColumn(setRevoking)]}
        filters={[
          { kind: "text", name: "search", label: "Name or user" },
          {
            kind: "choice",
            name: "state",
            label: "State",
            options: wordOptions(["active", "expired", "revoked"]),
          },
        ]}
        defaultOrdering="-created_at"
        rowKey={(token) => token.id}
        actions={newToken}
        empty={
          <EmptyView title="No API token yet" action={newToken}>
            Automation uses an API token in place of a login: everything the dashboard does can be
            done through the API.
          </EmptyView>
        }
      />
      {isCreating && <ApiTokenCreateDialog onClose={() => setIsCreating(false)} />}
      {revoking !== null && <RevokeDialog token={revoking} onClose={() => setRevoking(null)} />}
    </>
  );
}

function revokeColumn(onRevoke: (token: ApiToken) => void): Column<ApiToken> {
  return {
    title: "Actions",
    isActions: true,
    cell: (token) =>
      token.state === "active" &&
      token.capabilities["api_token.manage"] && (
        <Button variant="link" isDanger isInline onClick={() => onRevoke(token)}>
          Revoke
        </Button>
      ),
  };
}

function RevokeDialog({ token, onClose }: { token: ApiToken; onClose: () => void }) {
  const revoke = useMutation({ mutationFn: () => apiTokenRevoke(token.id), onSuccess: onClose });
  return (
    <ConfirmDialog
      title="Revoke this API token?"
      action="Revoke"
      isDanger
      mutation={revoke}
      onClose={onClose}
    >
      Whatever uses <strong>{token.name}</strong> (<Mono>{token.hint}…</Mono>) stops working at
      once.
    </ConfirmDialog>
  );
}
