import { Alert, List, ListItem } from "@patternfly/react-core";
import { useMutation } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { useNavigate } from "react-router";
import { FormDialog } from "../../components/FormDialog";
import { plural } from "../../components/format";
import { TextField } from "../../components/TextField";
import { askFor } from "../changes/askFor";

interface Props {
  title: string;
  kind: string;
  /** One host: a change. Several: a batch of one change each. */
  hosts: string[];
  /** null: the form is not complete. */
  parameters: Record<string, unknown> | null;
  /** What is asked for, where the form does not show it. */
  words?: string[];
  /** The form of the parameters. */
  children?: ReactNode;
  onDone?: () => void;
  onClose: () => void;
}

/** Asks for a change with its reason, and leads to it once its agents plan it. */
export function PlanDialog(props: Props) {
  const { title, kind, hosts, parameters, words = [], children, onDone, onClose } = props;
  const navigate = useNavigate();
  const [reason, setReason] = useState("");
  const ask = useMutation({
    mutationFn: () => askFor(kind, hosts, parameters ?? {}, reason),
    onSuccess: (address) => {
      onDone?.();
      void navigate(address);
    },
  });
  return (
    <FormDialog
      title={title}
      action="Plan"
      mutation={ask}
      canSubmit={reason.trim() !== "" && parameters !== null}
      onSubmit={() => ask.mutate()}
      onClose={onClose}
    >
      {hosts.length > 1 && (
        <Alert
          isInline
          isPlain
          component="p"
          variant="info"
          title={`${plural(hosts.length, "host")}: each gets a change of its own with its own plan.`}
        />
      )}
      {words.length > 0 && (
        <List>
          {words.map((sentence) => (
            <ListItem key={sentence}>{sentence}</ListItem>
          ))}
        </List>
      )}
      {children}
      <TextField
        id="plan-reason"
        label="Reason"
        value={reason}
        onChange={setReason}
        isRequired
        hint="Whoever approves it, and whoever reads the audit, wants to know. Planning changes nothing yet."
      />
    </FormDialog>
  );
}
