import { Card, CardBody, CardTitle } from "@patternfly/react-core";
import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { matrixQuery } from "../../api/queries";
import type { Matrix } from "../../api/types";
import { SimulatedLabel } from "../../components/HostName";
import { QueryView } from "../../components/QueryView";
import { EmptyView } from "../../components/States";
import { MatrixEditor } from "./MatrixEditor";

interface Props {
  host: string;
  /** Shows nothing, rather than why there is nothing, where a host has no domains at all. */
  isOptional?: boolean;
}

/** Which units each logical domain has and shall have. */
export function AssignmentMatrix({ host, isOptional = false }: Props) {
  const matrix = useQuery(matrixQuery(host));
  return (
    <QueryView query={matrix} what="the assignment" lines={8}>
      {(data) =>
        isOptional && data.domains.length === 0 ? null : <MatrixCard key={host} matrix={data} />
      }
    </QueryView>
  );
}

function MatrixCard({ matrix: found }: { matrix: Matrix }) {
  const matrix = useMemo(() => inOrder(found), [found]);
  return (
    <Card className="kr-below">
      <CardTitle component="h2">
        <span className="kr-inline">
          Assignment of crypto units
          {matrix.host.is_simulated && <SimulatedLabel source="simulator" />}
        </span>
      </CardTitle>
      <CardBody>
        {matrix.mode === "none" ? (
          <EmptyView title="Nothing to assign" headingLevel="h3">
            {matrix.reason}
          </EmptyView>
        ) : matrix.domains.length === 0 ? (
          <EmptyView title="No domain to assign to" headingLevel="h3">
            The host has units that could be given to domains, and no domain.
          </EmptyView>
        ) : (
          <MatrixEditor matrix={matrix} />
        )}
      </CardBody>
    </Card>
  );
}

/** The control domain first, then by name as people count: ldg2 before ldg10. */
function inOrder(matrix: Matrix): Matrix {
  const names = new Intl.Collator("en", { numeric: true });
  const domains = [...matrix.domains].sort(
    (one, other) =>
      Number(other.is_control) - Number(one.is_control) || names.compare(one.name, other.name),
  );
  const units = [...matrix.units].sort((one, other) =>
    one.core !== null && other.core !== null
      ? names.compare(one.core, other.core)
      : byCharacters(one.name, other.name),
  );
  return { ...matrix, domains, units };
}

/** Addresses are hexadecimal and of one length: `0a` comes after `09`, not after `00`. */
const byCharacters = (one: string, other: string): number =>
  one < other ? -1 : Number(one > other);
