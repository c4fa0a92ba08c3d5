import { Alert, Button, Card, CardBody, CardTitle, Content } from "@patternfly/react-core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { pauseSet } from "../../api/mutations";
import { pauseQuery } from "../../api/queries";
import type { Pause } from "../../api/types";
import { FormDialog } from "../../components/FormDialog";
import { QueryView } from "../../components/QueryView";
import { TextField } from "../../components/TextField";
import { PauseBanner } from "../changes/PauseBanner";

/** One switch that stops all applies. */
export function PauseTab() {
  const pause = useQuery(pauseQuery());
  return (
    <QueryView query={pause} what="the pause" lines={4}>
      {(data) => <PauseCard pause={data} />}
    </QueryView>
  );
}

function PauseCard({ pause }: { pause: Pause }) {
  const [isAsking, setIsAsking] = useState(false);
  return (
    <Card>
      <CardTitle component="h2">Applying changes</CardTitle>
      <CardBody>
        {pause.is_paused ? (
          <PauseBanner />
        ) : (
          <Alert isInline isPlain component="p" variant="success" title="Changes are applied." />
        )}
        <Content component="p">
          The pause holds back every order to apply that has not gone out yet, on all hosts. What
          runs goes on to its end.
        </Content>
        <Button variant={pause.is_paused ? "primary" : "danger"} onClick={() => setIsAsking(true)}>
          {pause.is_paused ? "Go on" : "Pause all applies"}
        </Button>
      </CardBody>
      {isAsking && <PauseDialog isPaused={pause.is_paused} onClose={() => setIsAsking(false)} />}
    </Card>
  );
}

function PauseDialog({ isPaused, onClose }: { isPaused: boolean; onClose: () => void }) {
  const [reason, setReason] = useState("");
  const queryClient = useQueryClient();
  const set = useMutation({
    mutationFn: () => pauseSet({ is_paused: !isPaused, reason }),
    onSuccess: (pause) => {
      queryClient.setQueryData(pauseQuery().queryKey, pause);
      onClose();
    },
  });
  return (
    <FormDialog
      title={isPaused ? "Apply changes again?" : "Pause all applies?"}
      action={isPaused ? "Go on" : "Pause"}
      mutation={set}
      canSubmit={isPaused || reason.trim() !== ""}
      onSubmit={() => set.mutate()}
      onClose={onClose}
    >
      <TextField
        id="pause-reason"
        label="Reason"
        value={reason}
        onChange={setReason}
        isRequired={!isPaused}
        hint="Everybody who looks at changes reads it."
        autoComplete="off"
      />
    </FormDialog>
  );
}
