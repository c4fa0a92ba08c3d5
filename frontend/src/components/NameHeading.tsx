import { ClipboardCopyButton } from "@patternfly/react-core";
import { useId, useState } from "react";

/** The admin's own name of a thing as a page's heading, with a button that copies it. */
export function NameHeading({ text, what }: { text: string; what: string }) {
  const id = useId();
  const [isCopied, setIsCopied] = useState(false);
  const copy = async () => {
    await navigator.clipboard.writeText(text);
    setIsCopied(true);
  };
  return (
    <>
      <span className="kr-mono">{text}</span>
      <ClipboardCopyButton
        id={id}
        variant="plain"
        aria-label={`Copy ${what}`}
        onClick={() => void copy()}
        onTooltipHidden={() => setIsCopied(false)}
      >
        {isCopied ? "Copied" : `Copy ${what}`}
      </ClipboardCopyButton>
    </>
  );
}
