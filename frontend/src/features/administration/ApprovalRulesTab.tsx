import { Button, Content } from "@patternfly/react-core";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { asApiError } from "../../api/errors";
import { approvalRuleCreate, approvalRuleDelete, approvalRuleUpdate } from "../../api/mutations";
import { lists } from "../../api/queries";
import type { ApprovalRule, Risk } from "../../api/types";
import { ChoiceField } from "../../components/ChoiceField";
import { ConfirmDialog } from "../../components/ConfirmDialog";
import { FormDialog } from "../../components/FormDialog";
import { ResourceList } from "../../components/list/ResourceList";
import type { Column } from "../../components/list/types";
import { Mono } from "../../components/Mono";
import { RowMenu } from "../../components/RowMenu";
import { StateLabel } from "../../components/StateLabel";
import { EmptyView } from "../../components/States";
import { TextField } from "../../components/TextField";
import { wordOptions } from "../../components/words";

const RISKS: Risk[] = ["low", "medium", "high"];
const COLUMNS: Column<ApprovalRule>[] = [
  { title: "Kinds", orderBy: "kind_pattern", cell: (rule) => <Mono>{rule.kind_pattern}</Mono> },
  { title: "From risk", cell: (rule) => <StateLabel state={rule.minimum_risk} /> },
  { title: "Approvals", isNumeric: true, cell: (rule) => rule.approvals },
  { title: "Note", width: 40, cell: (rule) => rule.note },
];

/** How many people have to approve which plans; of the rules that fit, the strictest counts. */
export function ApprovalRulesTab() {
  const [editing, setEditing] = useState<ApprovalRule | "new" | null>(null);
  const [deleting, setDeleting] = useState<ApprovalRule | null>(null);
  const actions: Column<ApprovalRule> = {
    title: "Actions",
    isActions: true,
    cell: (rule) => (
      <RowMenu
        label={`Actions of the rule for ${rule.kind_pattern}`}
        actions={[
          { title: "Change", onClick: () => setEditing(rule) },
          { title: "Delete", onClick: () => setDeleting(rule), isDanger: true },
        ]}
      />
    ),
  };
  const create = <Button onClick={() => setEditing("new")}>New rule</Button>;
  return (
    <>
      <Content component="p">
        Of the rules that fit a plan the strictest counts; whoever asked for it is never among its
        approvers. What destroys something, or was forced, needs a second person whatever the rules
        say.
      </Content>
      <ResourceList
        title="Approval rules"
        path="/api/v1/approval-rules/"
        query={lists.approvalRules}
        columns={[...COLUMNS, actions]}
        filters={[{ kind: "text", name: "search", label: "Kind or note" }]}
        defaultOrdering="kind_pattern"
        rowKey={(rule) => rule.id}
        actions={create}
        empty={
          <EmptyView title="No approval rule" action={create}>
            Only what destroys something, or was forced, needs a second person now.
          </EmptyView>
        }
      />
      {editing !== null && (
        <RuleDialog rule={editing === "new" ? null : editing} onClose={() => setEditing(null)} />
      )}
      {deleting !== null && <DeleteDialog rule={deleting} onClose={() => setDeleting(null)} />}
    </>
  );
}

function RuleDialog({ rule, onClose }: { rule: ApprovalRule | null; onClose: () => void }) {
  const [pattern, setPattern] = useState(rule?.kind_pattern ?? "*");
  const [risk, setRisk] = useState<Risk>(rule?.minimum_risk ?? "medium");
  const [approvals, setApprovals] = useState(String(rule?.approvals ?? 1));
  const [note, setNote] = useState(rule?.note ?? "");
  const save = useMutation({
    mutationFn: () => {
      const input = {
        kind_pattern: pattern.trim(),
        minimum_risk: risk,
        approvals: Number(approvals),
        note,
      };
      return rule === null ? approvalRuleCreate(input) : approvalRuleUpdate(rule.id, input);
    },
    onSuccess: onClose,
  });
  const refused = save.isError ? asApiError(save.error).fields : {};
  return (
    <FormDialog
      title={rule === null ? "New approval rule" : "Change this approval rule"}
      action="Save"
      mutation={save}
      canSubmit={pattern.trim() !== "" && /^[0-5]$/.test(approvals)}
      onSubmit={() => save.mutate()}
      onClose={onClose}
    >
      <TextField
        id="rule-pattern"
        label="Kinds of change"
        value={pattern}
        onChange={setPattern}
        isRequired
        hint="One kind as unit.assign, all of a noun as unit.*, or * for all."
        error={refused["kind_pattern"]}
        autoComplete="off"
      />
      <ChoiceField
        id="rule-risk"
        label="From this risk on"
        value={risk}
        options={wordOptions(RISKS)}
        onChange={(value) => setRisk(value as Risk)}
        hint="A plan that reboots a domain, cuts sessions or deletes something has at least medium risk."
      />
      <TextField
        id="rule-approvals"
        label="Approvals needed"
        value={approvals}
        onChange={setApprovals}
        isRequired
        hint="0 to 5 people, besides whoever asked."
        error={refused["approvals"]}
        autoComplete="off"
      />
      <TextField id="rule-note" label="Note" value={note} onChange={setNote} autoComplete="off" />
    </FormDialog>
  );
}

function DeleteDialog({ rule, onClose }: { rule: ApprovalRule; onClose: () => void }) {
  const remove = useMutation({
    mutationFn: () => approvalRuleDelete(rule.id),
    onSuccess: onClose,
  });
  return (
    <ConfirmDialog
      title="Delete this approval rule?"
      action="Delete"
      isDanger
      mutation={remove}
      onClose={onClose}
    >
      Plans of <Mono>{rule.kind_pattern}</Mono> then go by the other rules that fit; where none
      does, they are applied without a second person, unless they destroy something or were forced.
    </ConfirmDialog>
  );
}
