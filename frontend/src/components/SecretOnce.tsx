import { Alert, ClipboardCopy } from "@patternfly/react-core";
import type { ReactNode } from "react";

interface Props {
  title: string;
  secret: string;
  name: string;
  children: ReactNode;
}

/** A secret that the console shows this once and then forgets. */
export function SecretOnce({ title, secret, name, children }: Props) {
  return (
    <Alert component="p" isInline variant="success" title={title} isLiveRegion>
      <p className="kr-below">{children}</p>
      <ClipboardCopy
        isReadOnly
        isCode
        hoverTip={`Copy ${name}`}
        clickTip="Copied"
        textAriaLabel={name}
        copyAriaLabel={`Copy ${name}`}
      >
        {secret}
      </ClipboardCopy>
    </Alert>
  );
}
