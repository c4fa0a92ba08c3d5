import {
  DataList,
  DataListCell,
  DataListItem,
  DataListItemCells,
  DataListItemRow,
} from "@patternfly/react-core";
import { Link } from "react-router";
import type { Matrix, MatrixDomain } from "../../api/types";
import { StateLabel } from "../../components/StateLabel";
import type { GridProps } from "./MatrixGrid";
import { CellNote, cpusWords, DomainNumber } from "./MatrixHead";

/** The same on a phone, where units are counted: one block for each domain. */
export function MatrixCards(props: GridProps) {
  const { matrix, draft, conflicts, withCpus } = props;
  const actions = { onCount: props.onCount, onCpus: props.onCpus };
  return (
    <DataList aria-label={`Crypto units of ${matrix.host.name} by domain`} isCompact>
      {matrix.domains.map((domain) => {
        const count = draft.counts[domain.key];
        const cpus = draft.vcpus[domain.key];
        const isWrong = conflicts.domains.has(domain.key);
        return (
          <DataListItem key={domain.key} aria-labelledby={`card-${domain.id}`}>
            <DataListItemRow>
              <DataListItemCells
                dataListCells={[
                  <DataListCell key="domain">
                    <DomainWords domain={domain} bound={boundWords(matrix, domain)} />
                  </DataListCell>,
                  <DataListCell key="numbers">
                    <DomainNumber
                      what="counts"
                      {...{ domain, isWrong, actions }}
                      value={count ?? domain.unit_count}
                    />
                    <CellNote
                      what="counts"
                      domain={domain}
                      isWrong={isWrong}
                      before={count === undefined ? undefined : domain.unit_count}
                    />
                    {(withCpus || cpus !== undefined) && (
                      <div className="kr-above-small">
                        <DomainNumber
                          what="vcpus"
                          {...{ domain, isWrong: false, actions }}
                          value={cpus ?? domain.vcpu ?? 0}
                        />
                        <div className="kr-subtle">virtual CPUs</div>
                      </div>
                    )}
                  </DataListCell>,
                ]}
              />
            </DataListItemRow>
          </DataListItem>
        );
      })}
    </DataList>
  );
}

function DomainWords({ domain, bound }: { domain: MatrixDomain; bound: string }) {
  return (
    <>
      <span className="kr-inline">
        <Link id={`card-${domain.id}`} className="kr-mono" to={`/domains/${domain.id}`}>
          {domain.name}
        </Link>
        {domain.reconfiguration === "pending" ? (
          <StateLabel state="waiting_reboot" text="waits for reboot" />
        ) : (
          <StateLabel state={domain.state} />
        )}
      </span>
      <div className="kr-subtle">
        {cpusWords(domain)}
        {bound !== "" && `; units bound: ${bound}`}
      </div>
    </>
  );
}

function boundWords(matrix: Matrix, domain: MatrixDomain): string {
  return matrix.units
    .filter((unit) => unit.domain_key === domain.key)
    .map((unit) => (unit.core === null ? unit.name : `core ${unit.core}`))
    .join(", ");
}
