import { Button, Form, Modal, ModalBody, ModalFooter, ModalHeader } from "@patternfly/react-core";
import type { ReactNode } from "react";
import { FailureAlert } from "./FailureAlert";

interface Props {
  title: string;
  /** The verb on the button. */
  action: string;
  children: ReactNode;
  mutation: { isPending: boolean; isError: boolean; error: unknown; reset: () => void };
  canSubmit: boolean;
  onSubmit: () => void;
  onClose: () => void;
  /** Replaces the form once it has succeeded, e.g. with a secret shown once. */
  outcome?: ReactNode;
}

/** A form in a dialog: Enter submits, Escape closes, a refusal shows above the fields. */
export function FormDialog(props: Props) {
  const { title, action, children, mutation, canSubmit, onSubmit, onClose, outcome } = props;
  const isDone = outcome !== undefined;
  return (
    <Modal isOpen variant="small" onClose={onClose} aria-labelledby="form-title">
      <ModalHeader title={title} labelId="form-title" />
      <ModalBody>
        <FailureAlert title={`${action} did not work`} mutation={mutation} />
        {outcome ?? (
          <Form
            id="dialog-form"
            onSubmit={(event) => {
              event.preventDefault();
              if (canSubmit && !mutation.isPending) onSubmit();
            }}
          >
            {children}
          </Form>
        )}
      </ModalBody>
      <ModalFooter>
        {isDone ? (
          <Button onClick={onClose}>Done</Button>
        ) : (
          <>
            <Button
              type="submit"
              form="dialog-form"
              isDisabled={!canSubmit || mutation.isPending}
              isLoading={mutation.isPending}
            >
              {action}
            </Button>
            <Button variant="link" onClick={onClose}>
              Cancel
            </Button>
          </>
        )}
      </ModalFooter>
    </Modal>
  );
}
