/** Yes, no, or not known: three different things. */
import { Icon } from "@patternfly/react-core";
import CheckIcon from "@patternfly/react-icons/dist/esm/icons/check-icon";
import TimesIcon from "@patternfly/react-icons/dist/esm/icons/times-icon";

interface Props {
  value: boolean | null | undefined;
  /** What null means here. */
  unknown: string;
}

export function Tri({ value, unknown }: Props) {
  if (value === true) {
    return (
      <span className="kr-inline">
        <Icon status="success" isInline>
          <CheckIcon />
        </Icon>
        yes
      </span>
    );
  }
  if (value === false) {
    return (
      <span className="kr-inline">
        <Icon status="danger" isInline>
          <TimesIcon />
        </Icon>
        no
      </span>
    );
  }
  return <span className="kr-subtle">{unknown}</span>;
}
