import { Button, Label } from "@patternfly/react-core";
import { useState } from "react";
import { lists } from "../../api/queries";
import type { User } from "../../api/types";
import { formatCount, words } from "../../components/format";
import { ResourceList } from "../../components/list/ResourceList";
import type { Column } from "../../components/list/types";
import { Mono } from "../../components/Mono";
import { StateLabel } from "../../components/StateLabel";
import { EmptyView } from "../../components/States";
import { Time } from "../../components/Time";
import { ROLES, wordOptions, yesNoOptions } from "../../components/words";
import { UserActions } from "./UserActions";
import { UserCreateDialog } from "./UserCreateDialog";

const COLUMNS: Column<User>[] = [
  { title: "Name", orderBy: "username", cell: (user) => <Mono>{user.username}</Mono> },
  { title: "E-mail", cell: (user) => user.email },
  { title: "Role", orderBy: "role", cell: (user) => <Label isCompact>{words(user.role)}</Label> },
  {
    title: "State",
    cell: (user) =>
      user.is_active ? (
        <StateLabel state="active" />
      ) : (
        <StateLabel state="over" text="deactivated" />
      ),
  },
  { title: "API tokens", isNumeric: true, cell: (user) => formatCount(user.api_token_count) },
  {
    title: "Last login",
    orderBy: "last_login_at",
    isTight: true,
    cell: (user) => <Time at={user.last_login_at} />,
  },
  { title: "Actions", isActions: true, cell: (user) => <UserActions user={user} /> },
];

export function UsersTab() {
  const [isCreating, setIsCreating] = useState(false);
  return (
    <>
      <ResourceList
        title="Users"
        path="/api/v1/users/"
        query={lists.users}
        columns={COLUMNS}
        filters={[
          { kind: "text", name: "search", label: "Name or e-mail" },
          { kind: "choices", name: "role", label: "Role", options: wordOptions(ROLES) },
          {
            kind: "choice",
            name: "is_active",
            label: "State",
            options: yesNoOptions("Active", "Deactivated"),
          },
        ]}
        defaultOrdering="username"
        rowKey={(user) => user.id}
        actions={<Button onClick={() => setIsCreating(true)}>New user</Button>}
        empty={<EmptyView title="No users">There is always at least one: you.</EmptyView>}
      />
      {isCreating && <UserCreateDialog onClose={() => setIsCreating(false)} />}
    </>
  );
}
