import {
  MenuToggle,
  type MenuToggleElement,
  Select,
  SelectList,
  SelectOption,
  MenuSearch,
  MenuSearchInput,
  SearchInput,
} from "@patternfly/react-core";
import { useQuery } from "@tanstack/react-query";
import { type Ref, useState } from "react";
import { lists } from "../../api/queries";
import { useTyped } from "../../components/useTyped";

interface Props {
  /** Name of the chosen host; empty: none. */
  name: string;
  onChoose: (id: string) => void;
}

/** Chooses one host out of many, found by name. */
export function HostChoice({ name, onChoose }: Props) {
  const [isOpen, setIsOpen] = useState(false);
  const [wanted, setWanted] = useState("");
  const [typed, setTyped] = useTyped(wanted, setWanted);
  const hosts = useQuery(
    lists.hosts({
      ordering: "name",
      page_size: "50",
      ...(wanted === "" ? {} : { search: wanted }),
    }),
  );
  const toggle = (ref: Ref<MenuToggleElement>) => (
    <MenuToggle
      ref={ref}
      isExpanded={isOpen}
      aria-label={name === "" ? "Choose a host" : `Host: ${name}`}
      onClick={() => setIsOpen(!isOpen)}
    >
      {name === "" ? "Choose a host" : <span className="kr-mono">{name}</span>}
    </MenuToggle>
  );
  return (
    <Select
      isOpen={isOpen}
      onOpenChange={setIsOpen}
      onSelect={(_event, id) => {
        setIsOpen(false);
        onChoose(String(id));
      }}
      toggle={toggle}
      isScrollable
      maxMenuHeight="20rem"
    >
      <MenuSearch>
        <MenuSearchInput>
          <SearchInput
            aria-label="Look for a host"
            value={typed}
            onChange={(_event, text) => setTyped(text)}
            onClear={() => setTyped("")}
          />
        </MenuSearchInput>
      </MenuSearch>
      <SelectList aria-label="Hosts">
        {(hosts.data?.results ?? []).map((host) => (
          <SelectOption
            key={host.id}
            value={host.id}
            description={host.is_simulated ? "simulated" : undefined}
          >
            <span className="kr-mono">{host.name}</span>
          </SelectOption>
        ))}
        {hosts.data?.count === 0 && <SelectOption isDisabled>No host by that name</SelectOption>}
      </SelectList>
    </Select>
  );
}
