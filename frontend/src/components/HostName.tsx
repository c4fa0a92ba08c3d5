import { Label, Tooltip } from "@patternfly/react-core";
import FlaskIcon from "@patternfly/react-icons/dist/esm/icons/flask-icon";
import { Link } from "react-router";

export interface HostRef {
  id: string;
  name: string;
  is_simulated: boolean;
}

/** Says that what is shown does not come from this hardware. Stands wherever a simulated host shows. */
export function SimulatedLabel({ source }: { source?: string }) {
  const from = source && source !== "live" ? ` Its facts come from: ${source}.` : "";
  return (
    <Tooltip content={`Not a real machine: nothing here was measured or read on hardware.${from}`}>
      <Label isCompact color="purple" icon={<FlaskIcon />} tabIndex={0}>
        simulated
      </Label>
    </Tooltip>
  );
}

/** A host's name as a link, marked where it is simulated. */
export function HostName({ host, tab = "summary" }: { host: HostRef; tab?: string }) {
  return (
    <span className="kr-inline">
      <Link className="kr-mono" to={`/hosts/${host.id}/${tab}`}>
        {host.name}
      </Link>
      {host.is_simulated && <SimulatedLabel />}
    </span>
  );
}
