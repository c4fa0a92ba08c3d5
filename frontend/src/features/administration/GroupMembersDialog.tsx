import {
  Button,
  Checkbox,
  Content,
  Modal,
  ModalBody,
  ModalFooter,
  ModalHeader,
  SearchInput,
} from "@patternfly/react-core";
import { keepPreviousData, useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { hostGroupUpdate } from "../../api/mutations";
import { lists } from "../../api/queries";
import type { Host, HostGroup } from "../../api/types";
import { FailureAlert } from "../../components/FailureAlert";
import { formatCount } from "../../components/format";
import { useTyped } from "../../components/useTyped";

const SHOWN = 100;

/** Which hosts are in a group: found by name, each taken in or out at once. */
export function GroupMembersDialog({ group, onClose }: { group: HostGroup; onClose: () => void }) {
  const [search, setSearch] = useState("");
  const [typed, setTyped] = useTyped(search, setSearch);
  const wanted = search === "" ? {} : { search };
  const page = { ordering: "name", page_size: String(SHOWN), ...wanted };
  const hosts = useQuery({ ...lists.hosts(page), placeholderData: keepPreviousData });
  const members = useQuery({
    ...lists.hosts({ ...page, page_size: "1000", group: group.id }),
    placeholderData: keepPreviousData,
  });
  const inside = new Set((members.data?.results ?? []).map(({ id }) => id));
  const set = useMutation({
    mutationFn: ({ host, isMember }: { host: Host; isMember: boolean }) =>
      hostGroupUpdate(group.id, isMember ? { add_hosts: [host.id] } : { remove_hosts: [host.id] }),
    onSuccess: () => members.refetch(),
  });
  const more = (hosts.data?.count ?? 0) - (hosts.data?.results.length ?? 0);
  return (
    <Modal isOpen variant="small" onClose={onClose} aria-labelledby="members-title">
      <ModalHeader title={`Hosts of ${group.name}`} labelId="members-title" />
      <ModalBody>
        <FailureAlert title="It could not be changed" mutation={set} />
        <SearchInput
          aria-label="Name of a host"
          placeholder="Name of a host"
          value={typed}
          onChange={(_event, text) => setTyped(text)}
          onClear={() => setTyped("")}
        />
        <div className="kr-above">
          {(hosts.data?.results ?? []).map((host) => (
            <Checkbox
              key={host.id}
              id={`member-${host.id}`}
              label={<span className="kr-mono">{host.name}</span>}
              isChecked={inside.has(host.id)}
              isDisabled={members.data === undefined || set.isPending}
              onChange={(_event, isMember) => set.mutate({ host, isMember })}
            />
          ))}
        </div>
        {more > 0 && (
          <Content component="small">
            {formatCount(more)} more; type a part of the name to find them.
          </Content>
        )}
      </ModalBody>
      <ModalFooter>
        <Button onClick={onClose}>Done</Button>
      </ModalFooter>
    </Modal>
  );
}
