import { Alert, AlertActionCloseButton } from "@patternfly/react-core";
import { asApiError } from "../api/errors";

interface Props {
  title: string;
  mutation: { isError: boolean; error: unknown; reset: () => void };
}

/** What an action's refusal said, until it is closed or the action tried again. */
export function FailureAlert({ title, mutation }: Props) {
  if (!mutation.isError) return null;
  const { code, message, requestId } = asApiError(mutation.error);
  return (
    <Alert
      component="p"
      isInline
      isLiveRegion
      variant="danger"
      title={title}
      className="kr-below"
      actionClose={<AlertActionCloseButton onClose={mutation.reset} />}
    >
      {message} <span className="kr-mono">({requestId ? `${code} ${requestId}` : code})</span>
    </Alert>
  );
}
