import {
  Button,
  Form,
  FormGroup,
  Modal,
  ModalBody,
  ModalFooter,
  ModalHeader,
  TextArea,
} from "@patternfly/react-core";
import { useMutation } from "@tanstack/react-query";
import { type SyntheticEvent, useState } from "react";
import { findingAcknowledge } from "../../api/mutations";
import type { Finding } from "../../api/types";
import { FailureAlert } from "../../components/FailureAlert";

export function AcknowledgeDialog({ finding, onClose }: { finding: Finding; onClose: () => void }) {
  const [comment, setComment] = useState("");
  const acknowledge = useMutation({
    mutationFn: () => findingAcknowledge(finding.id, comment),
    onSuccess: onClose,
  });
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    acknowledge.mutate();
  };
  return (
    <Modal isOpen variant="small" onClose={onClose} aria-labelledby="acknowledge-title">
      <ModalHeader title="Acknowledge this finding" labelId="acknowledge-title" />
      <ModalBody>
        <FailureAlert title="It could not be acknowledged" mutation={acknowledge} />
        <p className="kr-below">
          {finding.message} It stays in the list until its cause is gone; your colleagues see that
          you know of it.
        </p>
        <Form id="acknowledge" onSubmit={submit}>
          <FormGroup label="Comment" fieldId="acknowledge-comment">
            <TextArea
              id="acknowledge-comment"
              value={comment}
              onChange={(_event, value) => setComment(value)}
              resizeOrientation="vertical"
            />
          </FormGroup>
        </Form>
      </ModalBody>
      <ModalFooter>
        <Button type="submit" form="acknowledge" isLoading={acknowledge.isPending}>
          Acknowledge
        </Button>
        <Button variant="link" onClick={onClose}>
          Cancel
        </Button>
      </ModalFooter>
    </Modal>
  );
}
