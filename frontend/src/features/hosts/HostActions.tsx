import { Flex, FlexItem } from "@patternfly/react-core";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { useNavigate } from "react-router";
import { hostScan } from "../../api/mutations";
import type { Host } from "../../api/types";
import { FailureAlert } from "../../components/FailureAlert";
import { GuardedButton, roleReason } from "../../components/GuardedButton";
import { RetireDialog } from "./RetireDialog";

const DISMISSED = new Set(["retired", "revoked"]);

export function HostActions({ host }: { host: Host }) {
  const navigate = useNavigate();
  const [isRetiring, setIsRetiring] = useState(false);
  const scan = useMutation({ mutationFn: () => hostScan(host.id) });
  if (DISMISSED.has(host.state)) return null;
  const allowed = (verb: string) => host.capabilities[verb] ?? false;
  return (
    <>
      <FailureAlert title="The scan could not be ordered" mutation={scan} />
      <Flex gap={{ default: "gapSm" }}>
        <FlexItem>
          <GuardedButton
            variant="primary"
            isAllowed={allowed("job.run")}
            reason={roleReason("run jobs")}
            onClick={() => void navigate(`/jobs/new?hosts=${host.id}`)}
          >
            New job
          </GuardedButton>
        </FlexItem>
        <FlexItem>
          <GuardedButton
            variant="secondary"
            isAllowed={allowed("inventory.scan")}
            reason={roleReason("order scans")}
            isLoading={scan.isPending}
            onClick={() => scan.mutate()}
          >
            {scan.isSuccess ? "Scan ordered" : "Scan now"}
          </GuardedButton>
        </FlexItem>
        <FlexItem>
          <GuardedButton
            variant="secondary"
            isDanger
            isAllowed={allowed("host.retire")}
            reason={roleReason("retire hosts")}
            onClick={() => setIsRetiring(true)}
          >
            Retire
          </GuardedButton>
        </FlexItem>
      </Flex>
      {isRetiring && <RetireDialog host={host} onClose={() => setIsRetiring(false)} />}
    </>
  );
}
