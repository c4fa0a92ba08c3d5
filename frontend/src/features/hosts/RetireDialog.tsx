import { useMutation } from "@tanstack/react-query";
import { hostRetire } from "../../api/mutations";
import type { Host } from "../../api/types";
import { ConfirmDialog } from "../../components/ConfirmDialog";
import { Mono } from "../../components/Mono";

export function RetireDialog({ host, onClose }: { host: Host; onClose: () => void }) {
  const retire = useMutation({ mutationFn: () => hostRetire(host.id), onSuccess: onClose });
  return (
    <ConfirmDialog
      title="Retire this host?"
      action="Retire host"
      isDanger
      typeToConfirm={host.name}
      mutation={retire}
      onClose={onClose}
    >
      The agent on <Mono>{host.name}</Mono> loses its credential at once and stops working. What is
      queued for the host is cancelled. Its inventory, jobs and audit stay; enrolling the same
      machine again brings it back with its history.
    </ConfirmDialog>
  );
}
