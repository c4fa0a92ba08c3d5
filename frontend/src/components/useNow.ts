/** One shared clock for all relative times on a page, so that they move together and cheaply. */
import { useSyncExternalStore } from "react";

const TICK_MILLISECONDS = 5_000;
const listeners = new Set<() => void>();
let now = Date.now();
let timer: ReturnType<typeof setInterval> | undefined;

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  timer ??= setInterval(() => {
    now = Date.now();
    listeners.forEach((each) => each());
  }, TICK_MILLISECONDS);
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0) {
      clearInterval(timer);
      timer = undefined;
    }
  };
}

function snapshot(): number {
  // A page opened after the clock stood still must not show the time it stopped at.
  if (timer === undefined && Date.now() - now > TICK_MILLISECONDS) now = Date.now();
  return now;
}

export function useNow(): number {
  return useSyncExternalStore(subscribe, snapshot);
}
