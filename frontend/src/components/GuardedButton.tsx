import { Button, type ButtonProps, Tooltip } from "@patternfly/react-core";

interface Props extends ButtonProps {
  /** From the reply's capabilities, or the user's. */
  isAllowed: boolean;
  /** Why it may not be pressed, a sentence; shown on hover and focus. */
  reason: string;
}

/** A button that says why it cannot be pressed rather than doing nothing. */
export function GuardedButton({ isAllowed, reason, ...button }: Props) {
  if (isAllowed) return <Button {...button} />;
  return (
    <Tooltip content={reason}>
      <Button {...button} onClick={undefined} isAriaDisabled />
    </Tooltip>
  );
}

/** The usual reason: the role does not allow it. */
export function roleReason(what: string): string {
  return `Your role does not allow you to ${what}. Ask an administrator.`;
}
