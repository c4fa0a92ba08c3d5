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
import { type CellActions, CellNote, cpusWords, DomainNumber } from "./MatrixHead";

/** The same on a phone, where units are counted: one block for each domain. */
export function MatrixCards(props: GridProps) {
  const { matrix, draft, conflicts, withCpus } = props;
  const actions = { onCount: props.onCount, onCpus: props.onCpus };
  return (
    <DataList aria-label={`Crypto units of ${matrix.host.name} by domain`} isCompact>
      {matrix.domains.map((domain) => {
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
                    <CardNumber
                      what="counts"
                      {...{ domain, isWrong, actions }}
                      wanted={draft.counts[domain.key]}
                    />
                    {(withCpus || draft.vcpus[domain.key] !== undefined) && (
                      <CardNumber
                        what="vcpus"
                        {...{ domain, isWrong: false, actions }}
                        wanted={draft.vcpus[domain.key]}
                      />
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

interface NumberProps {
  what: "counts" | "vcpus";
  domain: MatrixDomain;
  isWrong: boolean;
  /** undefined: as it is. */
  wanted: number | undefined;
  actions: Pick<CellActions, "onCount" | "onCpus">;
}

function CardNumber({ what, domain, isWrong, wanted, actions }: NumberProps) {
  const now = what === "counts" ? domain.unit_count : (domain.vcpu ?? 0);
  return (
    <div className="kr-above-small">
      <div className="kr-subtle">{what === "counts" ? "Units" : "Virtual CPUs"}</div>
      <DomainNumber {...{ what, domain, isWrong, actions }} value={wanted ?? now} />
      <div>
        <CellNote {...{ what, domain, isWrong }} before={wanted === undefined ? undefined : now} />
      </div>
    </div>
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
