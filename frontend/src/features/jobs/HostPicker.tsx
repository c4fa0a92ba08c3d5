import { Button, Checkbox, Content, Flex, SearchInput } from "@patternfly/react-core";
import { Table, Tbody, Td, Th, Thead, Tr } from "@patternfly/react-table";
import { useState } from "react";
import type { Eligibility } from "../../api/types";
import { formatCount, plural } from "../../components/format";
import { HostName } from "../../components/HostName";

const SHOWN = 50;

interface Props {
  answers: Eligibility[];
  chosen: Set<string>;
  onChoose: (ids: Set<string>) => void;
}

/** All hosts in service; those that cannot do it say why and cannot be chosen. */
export function HostPicker({ answers, chosen, onChoose }: Props) {
  const [wanted, setWanted] = useState("");
  const word = wanted.trim().toLowerCase();
  const matching = answers.filter(({ host }) => host.name.toLowerCase().includes(word));
  const eligible = matching.filter(({ is_eligible: isEligible }) => isEligible);
  const sorted = [...eligible, ...matching.filter(({ is_eligible: isEligible }) => !isEligible)];
  const flip = (id: string) => {
    const next = new Set(chosen);
    if (!next.delete(id)) next.add(id);
    onChoose(next);
  };
  return (
    <>
      <Flex gap={{ default: "gapSm" }} className="kr-below">
        {answers.length > SHOWN / 5 && (
          <SearchInput
            aria-label="Name of a host"
            placeholder="Name of a host"
            value={wanted}
            onChange={(_event, text) => setWanted(text)}
            onClear={() => setWanted("")}
          />
        )}
        <span role="status">{plural(chosen.size, "host")} chosen</span>
        {eligible.length > 1 && (
          <Button
            variant="link"
            isInline
            onClick={() => onChoose(new Set([...chosen, ...eligible.map(({ host }) => host.id)]))}
          >
            Choose all {formatCount(eligible.length)} that can do it
          </Button>
        )}
        {chosen.size > 0 && (
          <Button variant="link" isInline onClick={() => onChoose(new Set())}>
            Choose none
          </Button>
        )}
      </Flex>
      <HostTable answers={sorted.slice(0, SHOWN)} chosen={chosen} onFlip={flip} />
      {sorted.length > SHOWN && (
        <Content component="small">
          {formatCount(sorted.length - SHOWN)} more; type a part of the name to find them.
        </Content>
      )}
    </>
  );
}

interface TableProps {
  answers: Eligibility[];
  chosen: Set<string>;
  onFlip: (id: string) => void;
}

function HostTable({ answers, chosen, onFlip }: TableProps) {
  return (
    <Table variant="compact" aria-label="Hosts" gridBreakPoint="">
      <Thead>
        <Tr>
          <Th screenReaderText="Chosen" />
          <Th modifier="wrap">Host</Th>
          <Th modifier="wrap">Can do it</Th>
        </Tr>
      </Thead>
      <Tbody>
        {answers.map(({ host, is_eligible: isEligible, reason }) => (
          <Tr key={host.id}>
            <Td>
              <Checkbox
                id={`choose-${host.id}`}
                aria-label={`Choose ${host.name}`}
                isChecked={chosen.has(host.id)}
                isDisabled={!isEligible}
                onChange={() => onFlip(host.id)}
              />
            </Td>
            <Td>
              <HostName host={host} />
            </Td>
            <Td>{isEligible ? "yes" : <span className="kr-subtle">No: {reason}</span>}</Td>
          </Tr>
        ))}
      </Tbody>
    </Table>
  );
}
