import { useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useEffect, useState } from "react";
import { LiveStream } from "../api/live";
import { invalidateEverything, invalidateTopics } from "../api/queries";
import { LiveContext } from "./liveContext";

/** Keeps the event stream open while somebody is logged in, and reads again what it says has changed. */
export function LiveProvider({ children }: { children: ReactNode }) {
  const queryClient = useQueryClient();
  const [stream] = useState(
    () =>
      new LiveStream({
        onChange: (topics) => invalidateTopics(queryClient, topics),
        onGap: () => invalidateEverything(queryClient),
      }),
  );
  useEffect(() => {
    stream.start();
    return () => stream.stop();
  }, [stream]);
  return <LiveContext value={stream}>{children}</LiveContext>;
}
