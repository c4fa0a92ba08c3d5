import { Button, Checkbox, Content, Flex, SearchInput } from "@patternfly/react-core";
import { Table, Tbody, Td, Th, Thead, Tr } from "@patternfly/react-table";
import type { Eligibility } from "../../api/types";
import { formatCount, plural } from "../../components/format";
import { HostName } from "../../components/HostName";
import type { Page } from "../../components/list/types";
import { useTyped } from "../../components/useTyped";

/** The most hosts that a job from here goes to: they stand in the URL. The API knows no limit. */
export const MOST_HOSTS = 200;
const FEW = 10;

interface Props {
  page: Page<Eligibility>;
  search: string;
  onSearch: (search: string) => void;
  chosen: Set<string>;
  /** How many can be chosen here, and what they are for. */
  most?: number;
  what?: string;
  onChoose: (ids: Set<string>) => void;
}

/** Hosts in service, found by name; those that cannot do it say why and cannot be chosen. */
export function HostPicker({ page, search, onSearch, chosen, onChoose, ...words }: Props) {
  const { most = MOST_HOSTS, what = "A job started here" } = words;
  const [draft, setDraft] = useTyped(search, onSearch);
  const eligible = page.results.filter(({ is_eligible: isEligible }) => isEligible);
  const others = page.results.filter(({ is_eligible: isEligible }) => !isEligible);
  const room = most - chosen.size;
  const toAdd = eligible.map(({ host }) => host.id).filter((id) => !chosen.has(id));
  const flip = (id: string) => {
    const next = new Set(chosen);
    if (!next.delete(id)) next.add(id);
    onChoose(next);
  };
  return (
    <>
      <Flex gap={{ default: "gapSm" }} className="kr-below">
        {(page.count > FEW || search !== "") && (
          <SearchInput
            aria-label="Name of a host"
            placeholder="Name of a host"
            value={draft}
            onChange={(_event, text) => setDraft(text)}
            onClear={() => onSearch("")}
          />
        )}
        <span role="status">{plural(chosen.size, "host")} chosen</span>
        {eligible.length > 1 && toAdd.length > 0 && toAdd.length <= room && (
          <Button variant="link" isInline onClick={() => onChoose(new Set([...chosen, ...toAdd]))}>
            Choose all {formatCount(eligible.length)} shown that can do it
          </Button>
        )}
        {chosen.size > 0 && (
          <Button variant="link" isInline onClick={() => onChoose(new Set())}>
            Choose none
          </Button>
        )}
      </Flex>
      {page.count === 0 ? (
        <Content component="p">No host in service is called anything like that.</Content>
      ) : (
        <HostTable
          answers={[...eligible, ...others]}
          chosen={chosen}
          isFull={room <= 0}
          onFlip={flip}
        />
      )}
      {room <= 0 && (
        <Content component="small">
          {what} goes to {most} hosts at the most; through the API to any number.
        </Content>
      )}
      {page.count > page.results.length && (
        <Content component="small">
          {formatCount(page.count - page.results.length)} more; type a part of the name to find
          them.
        </Content>
      )}
    </>
  );
}

interface TableProps {
  answers: Eligibility[];
  chosen: Set<string>;
  isFull: boolean;
  onFlip: (id: string) => void;
}

function HostTable({ answers, chosen, isFull, onFlip }: TableProps) {
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
                isDisabled={!isEligible || (isFull && !chosen.has(host.id))}
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
