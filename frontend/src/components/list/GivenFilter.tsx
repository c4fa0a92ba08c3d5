import { ToolbarFilter } from "@patternfly/react-core";
import { useQuery } from "@tanstack/react-query";
import { hostQuery } from "../../api/queries";

interface Props {
  label: string;
  /** The value in a person's words. */
  text: string;
  onClear: () => void;
}

/** A filter that a link brought along: it shows as a chip and can only be taken away. */
export function GivenFilter({ label, text, onClear }: Props) {
  return (
    <ToolbarFilter labels={[text]} deleteLabel={onClear} categoryName={label}>
      {null}
    </ToolbarFilter>
  );
}

/** The same for a host, by its name. */
export function HostFilter({ value, onClear }: { value: string; onClear: () => void }) {
  const host = useQuery(hostQuery(value));
  return <GivenFilter label="Host" text={host.data?.name ?? value} onClear={onClear} />;
}
