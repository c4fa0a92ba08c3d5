import {
  Dropdown,
  DropdownItem,
  DropdownList,
  Flex,
  FlexItem,
  MenuToggle,
  type MenuToggleElement,
} from "@patternfly/react-core";
import { useMutation } from "@tanstack/react-query";
import { type Ref, useState } from "react";
import { useNavigate } from "react-router";
import { jobAgain, jobCancel } from "../../api/mutations";
import type { JobDetail } from "../../api/types";
import { ConfirmDialog } from "../../components/ConfirmDialog";
import { FailureAlert } from "../../components/FailureAlert";
import { GuardedButton, roleReason } from "../../components/GuardedButton";

const GOING_ON = new Set(["queued", "running"]);

export function JobActions({ job }: { job: JobDetail }) {
  const navigate = useNavigate();
  const [isCancelling, setIsCancelling] = useState(false);
  const again = useMutation({
    mutationFn: () => jobAgain(job.id),
    onSuccess: (next) => navigate(`/jobs/${next.id}`),
  });
  return (
    <>
      <FailureAlert title="The job could not be run again" mutation={again} />
      <Flex gap={{ default: "gapSm" }}>
        <FlexItem>
          <GuardedButton
            variant="primary"
            isAllowed={job.capabilities["job.run"] ?? false}
            reason={roleReason("run jobs")}
            isLoading={again.isPending}
            onClick={() => again.mutate()}
          >
            Run again
          </GuardedButton>
        </FlexItem>
        <FlexItem>
          <ExportMenu job={job} />
        </FlexItem>
        {GOING_ON.has(job.state) && (
          <FlexItem>
            <GuardedButton
              variant="secondary"
              isDanger
              isAllowed={job.capabilities["job.cancel"] ?? false}
              reason={roleReason("cancel jobs")}
              onClick={() => setIsCancelling(true)}
            >
              Cancel job
            </GuardedButton>
          </FlexItem>
        )}
      </Flex>
      {isCancelling && <CancelDialog job={job} onClose={() => setIsCancelling(false)} />}
    </>
  );
}

function ExportMenu({ job }: { job: JobDetail }) {
  const [isOpen, setIsOpen] = useState(false);
  const toggle = (ref: Ref<MenuToggleElement>) => (
    <MenuToggle ref={ref} isExpanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
      Export
    </MenuToggle>
  );
  const href = (format: string) => `/api/v1/jobs/${job.id}/export/?format=${format}`;
  return (
    <Dropdown
      isOpen={isOpen}
      onOpenChange={setIsOpen}
      onSelect={() => setIsOpen(false)}
      toggle={toggle}
      popperProps={{ position: "end" }}
    >
      <DropdownList>
        <DropdownItem to={href("json")} description="Runs, comparisons and samples">
          JSON
        </DropdownItem>
        <DropdownItem to={href("csv")} description="One line per sample">
          CSV
        </DropdownItem>
      </DropdownList>
    </Dropdown>
  );
}

function CancelDialog({ job, onClose }: { job: JobDetail; onClose: () => void }) {
  const cancel = useMutation({ mutationFn: () => jobCancel(job.id), onSuccess: onClose });
  return (
    <ConfirmDialog
      title="Cancel this job?"
      action="Cancel job"
      isDanger
      mutation={cancel}
      onClose={onClose}
    >
      What waits is cancelled at once; what runs is ended on its host within seconds. Figures that
      have been measured stay.
    </ConfirmDialog>
  );
}
