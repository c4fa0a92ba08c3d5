import { createContext, use, useSyncExternalStore } from "react";
import type { LiveState, LiveStream } from "../api/live";

export const LiveContext = createContext<LiveStream | null>(null);

export function useLive(): { state: LiveState; reconnect: () => void } {
  const stream = use(LiveContext);
  if (stream === null) throw new Error("useLive needs a LiveProvider above it");
  const state = useSyncExternalStore(stream.subscribe, stream.getState);
  return { state, reconnect: () => stream.reconnect() };
}
