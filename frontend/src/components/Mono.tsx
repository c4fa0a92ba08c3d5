import { ClipboardCopy } from "@patternfly/react-core";
import type { ReactNode } from "react";

/** The admin's own words (`n2cp/0`, `CKM_AES_CBC`) in monospace. */
export function Mono({ children }: { children: ReactNode }) {
  return <span className="kr-mono">{children}</span>;
}

/** The same with a button that copies it. `name` says what is copied, for screen readers. */
export function CopyableMono({ text, name }: { text: string; name: string }) {
  return (
    <ClipboardCopy
      isReadOnly
      isCode
      variant="inline-compact"
      hoverTip={`Copy ${name}`}
      clickTip="Copied"
      copyAriaLabel={`Copy ${name}`}
    >
      {text}
    </ClipboardCopy>
  );
}
