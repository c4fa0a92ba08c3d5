import {
  Button,
  Form,
  FormGroup,
  Modal,
  ModalBody,
  ModalFooter,
  ModalHeader,
  TextInput,
} from "@patternfly/react-core";
import { type ReactNode, useState } from "react";
import { FailureAlert } from "./FailureAlert";
import { Mono } from "./Mono";

interface Props {
  title: string;
  /** Every consequence, in words. */
  children: ReactNode;
  /** The verb on the button. */
  action: string;
  isDanger?: boolean;
  /** Must be typed first; only for what cannot be taken back. */
  typeToConfirm?: string;
  mutation: {
    mutate: () => void;
    isPending: boolean;
    isError: boolean;
    error: unknown;
    reset: () => void;
  };
  onClose: () => void;
}

export function ConfirmDialog(props: Props) {
  const { title, children, action, isDanger = false, typeToConfirm, mutation, onClose } = props;
  const [typed, setTyped] = useState("");
  const isConfirmed = typeToConfirm === undefined || typed === typeToConfirm;
  return (
    <Modal
      isOpen
      variant="small"
      onClose={onClose}
      aria-labelledby="confirm-title"
      aria-describedby="confirm-body"
    >
      <ModalHeader
        title={title}
        labelId="confirm-title"
        titleIconVariant={isDanger ? "warning" : undefined}
      />
      <ModalBody id="confirm-body">
        <FailureAlert title={`${action} did not work`} mutation={mutation} />
        {children}
        {typeToConfirm !== undefined && (
          <Form
            className="kr-above"
            onSubmit={(event) => {
              event.preventDefault();
              if (isConfirmed) mutation.mutate();
            }}
          >
            <FormGroup
              label={
                <>
                  Type <Mono>{typeToConfirm}</Mono> to confirm
                </>
              }
              fieldId="confirm"
            >
              <TextInput id="confirm" value={typed} onChange={(_event, value) => setTyped(value)} />
            </FormGroup>
          </Form>
        )}
      </ModalBody>
      <ModalFooter>
        <Button
          variant={isDanger ? "danger" : "primary"}
          isDisabled={!isConfirmed || mutation.isPending}
          isLoading={mutation.isPending}
          onClick={() => mutation.mutate()}
        >
          {action}
        </Button>
        <Button variant="link" onClick={onClose}>
          Keep it as it is
        </Button>
      </ModalFooter>
    </Modal>
  );
}
