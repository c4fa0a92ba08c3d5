import { Bullseye, Spinner } from "@patternfly/react-core";

/** While the first page's code is on its way. */
export function FirstLoad() {
  return (
    <Bullseye className="kr-whole-page">
      <Spinner aria-label="Loading Keyrack" />
    </Bullseye>
  );
}
