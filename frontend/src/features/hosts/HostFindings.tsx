import { Card, CardBody, CardTitle } from "@patternfly/react-core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "react-router";
import { lists } from "../../api/queries";
import type { Host } from "../../api/types";
import { formatCount } from "../../components/format";
import { QueryView } from "../../components/QueryView";
import { StateLabel } from "../../components/StateLabel";

const SHOWN = 5;

/** The most urgent open findings of one host. */
export function HostFindings({ host }: { host: Host }) {
  const findings = useQuery(
    lists.findings({
      host: host.id,
      is_resolved: "false",
      ordering: "severity",
      page_size: String(SHOWN),
    }),
  );
  return (
    <Card>
      <CardTitle component="h2">Findings</CardTitle>
      <CardBody>
        <QueryView query={findings} what="the findings" lines={2}>
          {({ results, count }) =>
            count === 0 ? (
              "Nothing on this host needs you."
            ) : (
              <>
                <ul className="kr-plain-list">
                  {results.map((finding) => (
                    <li key={finding.id}>
                      <StateLabel state={finding.severity} /> {finding.message}{" "}
                      <span className="kr-subtle">{finding.remedy}</span>
                    </li>
                  ))}
                </ul>
                <Link to={`/findings?host=${host.id}&is_resolved=false`}>
                  {count > SHOWN ? `All ${formatCount(count)} findings` : "Look at them"}
                </Link>
              </>
            )
          }
        </QueryView>
      </CardBody>
    </Card>
  );
}
