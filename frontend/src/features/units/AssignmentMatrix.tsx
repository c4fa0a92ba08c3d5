import {
  Alert,
  Button,
  Card,
  CardBody,
  CardTitle,
  Flex,
  FlexItem,
  NumberInput,
} from "@patternfly/react-core";
import { Table, Tbody, Td, Th, Thead, Tr } from "@patternfly/react-table";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useNavigate } from "react-router";
import { changeCreate } from "../../api/mutations";
import { matrixQuery } from "../../api/queries";
import type { Matrix, MatrixDomain } from "../../api/types";
import { useMe } from "../../app/session";
import { FormDialog } from "../../components/FormDialog";
import { formatCount } from "../../components/format";
import { GuardedButton, roleReason } from "../../components/GuardedButton";
import { SimulatedLabel } from "../../components/HostName";
import { Mono } from "../../components/Mono";
import { QueryView } from "../../components/QueryView";
import { StateLabel } from "../../components/StateLabel";
import { TextField } from "../../components/TextField";
import { conflicts, type Draft, draftKeep, draftRead, draftSet } from "./draft";

/** How many units each logical domain has and shall have. Shows nothing where there are no domains. */
export function AssignmentMatrix({ host }: { host: string }) {
  const matrix = useQuery(matrixQuery(host));
  return (
    <QueryView query={matrix} what="the assignment" lines={4}>
      {(data) => (data.domains.length === 0 ? null : <MatrixView matrix={data} />)}
    </QueryView>
  );
}

function MatrixView({ matrix }: { matrix: Matrix }) {
  const [draft, setDraft] = useState(() => draftRead(matrix));
  const [isPlanning, setIsPlanning] = useState(false);
  const change = (next: Draft) => {
    setDraft(next);
    draftKeep(matrix, next);
  };
  const set = (domain: MatrixDomain, count: number) => change(draftSet(draft, domain, count));
  const wrong = conflicts(matrix, draft);
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
          <Alert isInline isPlain component="p" variant="info" title={matrix.reason} />
        ) : (
          <>
            <p className="kr-below">
              {formatCount(matrix.free)} of {formatCount(matrix.units.length)} units are free.
            </p>
            <DomainsTable matrix={matrix} draft={draft} wrong={wrong} onSet={set} />
            <DraftActions
              pending={Object.keys(draft).length}
              wrong={wrong}
              onPlan={() => setIsPlanning(true)}
              onDiscard={() => change({})}
            />
          </>
        )}
      </CardBody>
      {isPlanning && (
        <PlanDialog
          matrix={matrix}
          draft={draft}
          onDone={() => change({})}
          onClose={() => setIsPlanning(false)}
        />
      )}
    </Card>
  );
}

interface ActionsProps {
  pending: number;
  wrong: Record<string, string>;
  onPlan: () => void;
  onDiscard: () => void;
}

function DraftActions({ pending, wrong, onPlan, onDiscard }: ActionsProps) {
  const { capabilities } = useMe();
  return (
    <>
      {wrong[""] !== undefined && (
        <Alert isInline isPlain component="p" variant="danger" title={wrong[""]} />
      )}
      <Flex gap={{ default: "gapSm" }} className="kr-above">
        <FlexItem>
          <GuardedButton
            variant="primary"
            isAllowed={capabilities["change.request"] ?? false}
            reason={roleReason("ask for changes")}
            isDisabled={pending === 0 || Object.keys(wrong).length > 0}
            onClick={onPlan}
          >
            {pending === 0 ? "Plan" : `Plan (${String(pending)} pending)`}
          </GuardedButton>
        </FlexItem>
        <FlexItem>
          <Button variant="link" isDisabled={pending === 0} onClick={onDiscard}>
            Discard draft
          </Button>
        </FlexItem>
      </Flex>
    </>
  );
}

interface TableProps {
  matrix: Matrix;
  draft: Draft;
  wrong: Record<string, string>;
  onSet: (domain: MatrixDomain, count: number) => void;
}

function DomainsTable({ matrix, draft, wrong, onSet }: TableProps) {
  return (
    <Table aria-label="Units by domain" variant="compact">
      <Thead>
        <Tr>
          <Th>Domain</Th>
          <Th>State</Th>
          <Th modifier="fitContent">VCPUs</Th>
          <Th>Bound units</Th>
          <Th>Units</Th>
        </Tr>
      </Thead>
      <Tbody>
        {matrix.domains.map((domain) => (
          <Tr key={domain.key}>
            <Td dataLabel="Domain">
              <Mono>{domain.name}</Mono>
            </Td>
            <Td dataLabel="State">
              <StateLabel state={domain.state} />
              {domain.reconfiguration === "pending" && (
                <StateLabel state="waiting_reboot" text="waits for its reboot" />
              )}
            </Td>
            <Td dataLabel="VCPUs">{domain.vcpu}</Td>
            <Td dataLabel="Bound units">{boundUnits(matrix, domain)}</Td>
            <Td dataLabel="Units">
              <CountInput
                domain={domain}
                count={draft[domain.key] ?? domain.unit_count}
                problem={wrong[domain.key]}
                onSet={(count) => onSet(domain, count)}
              />
            </Td>
          </Tr>
        ))}
      </Tbody>
    </Table>
  );
}

function boundUnits(matrix: Matrix, domain: MatrixDomain): string {
  return matrix.units
    .filter((unit) => unit.domain_key === domain.key)
    .map((unit) => (unit.core === null ? unit.name : `core ${unit.core}`))
    .join(", ");
}

interface CountProps {
  domain: MatrixDomain;
  count: number;
  problem: string | undefined;
  onSet: (count: number) => void;
}

function CountInput({ domain, count, problem, onSet }: CountProps) {
  const isPending = count !== domain.unit_count;
  return (
    <>
      <NumberInput
        value={count}
        min={0}
        inputAriaLabel={`Units of ${domain.name}`}
        minusBtnAriaLabel={`One unit fewer for ${domain.name}`}
        plusBtnAriaLabel={`One unit more for ${domain.name}`}
        widthChars={3}
        validated={problem === undefined ? "default" : "error"}
        onMinus={() => onSet(Math.max(0, count - 1))}
        onPlus={() => onSet(count + 1)}
        onChange={(event) => {
          const typed = Number((event.target as HTMLInputElement).value);
          if (Number.isInteger(typed) && typed >= 0) onSet(typed);
        }}
      />
      {isPending && <div className="kr-subtle">pending: now {domain.unit_count}</div>}
      {problem !== undefined && <div className="kr-subtle">{problem}</div>}
    </>
  );
}

interface PlanProps {
  matrix: Matrix;
  draft: Draft;
  onDone: () => void;
  onClose: () => void;
}

function PlanDialog({ matrix, draft, onDone, onClose }: PlanProps) {
  const navigate = useNavigate();
  const [reason, setReason] = useState("");
  const create = useMutation({
    mutationFn: () =>
      changeCreate({
        host: matrix.host.id,
        kind: "unit.assign",
        parameters: { counts: draft },
        reason,
        is_draft: false,
      }),
    onSuccess: (change) => {
      onDone();
      void navigate(`/changes/${change.id}`);
    },
  });
  return (
    <FormDialog
      title="Plan this assignment"
      action="Plan"
      mutation={create}
      canSubmit={reason.trim() !== ""}
      onSubmit={() => create.mutate()}
      onClose={onClose}
    >
      <TextField id="plan-reason" label="Reason" value={reason} onChange={setReason} isRequired />
    </FormDialog>
  );
}
