/**
 * The event stream: tells which topics changed; the dashboard then reads again what it shows.
 *
 * An event carries `{topic, id, rev}` and no content. When the stream is down, everything shown is
 * read again every POLL_MILLISECONDS instead, and the page says so.
 */

export const TOPICS = [
  "host",
  "inventory",
  "job",
  "run",
  "finding",
  "audit",
  "enrolment_token",
  "user",
  "api_token",
  "change",
  "batch",
  "host_group",
  "approval_rule",
  "maintenance_window",
  "drift",
] as const;
export type Topic = (typeof TOPICS)[number];
export type LiveState = "connecting" | "live" | "paused";

export const POLL_MILLISECONDS = 10_000;
const RETRY_MILLISECONDS = 5_000;
const GATHER_MILLISECONDS = 400;

export interface LiveHandlers {
  /** Called with the topics that changed, gathered over a short while. */
  onChange: (topics: Topic[]) => void;
  /** Called when anything may have been missed: read everything again. */
  onGap: () => void;
}

function isTopic(value: unknown): value is Topic {
  return TOPICS.some((topic) => topic === value);
}

export class LiveStream {
  private source: EventSource | undefined;
  private state: LiveState = "connecting";
  private hasBeenLive = false;
  private retryTimer: ReturnType<typeof setTimeout> | undefined;
  private gatherTimer: ReturnType<typeof setTimeout> | undefined;
  private pollTimer: ReturnType<typeof setInterval> | undefined;
  private readonly changed = new Set<Topic>();
  private readonly listeners = new Set<() => void>();
  private readonly handlers: LiveHandlers;

  constructor(handlers: LiveHandlers) {
    this.handlers = handlers;
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };
  readonly getState = (): LiveState => this.state;

  start(): void {
    this.stop();
    const source = new EventSource(`/api/v1/events/?topics=${TOPICS.join(",")}`, {
      withCredentials: true,
    });
    this.source = source;
    source.onopen = () => this.opened();
    source.onerror = () => this.broke(source);
    source.onmessage = (event: MessageEvent<string>) => this.heard(event.data);
  }

  stop(): void {
    clearTimeout(this.retryTimer);
    clearTimeout(this.gatherTimer);
    clearInterval(this.pollTimer);
    this.pollTimer = undefined;
    this.source?.close();
    this.source = undefined;
  }

  private opened(): void {
    clearInterval(this.pollTimer);
    this.pollTimer = undefined;
    this.become("live");
    if (this.hasBeenLive) this.handlers.onGap();
    this.hasBeenLive = true;
  }

  private broke(source: EventSource): void {
    this.hasBeenLive = true; // what happened since the first read is unknown: read again on reopening
    this.become("paused");
    this.pollTimer ??= setInterval(() => this.handlers.onGap(), POLL_MILLISECONDS);
    // While CONNECTING the browser tries again by itself; CLOSED (an HTTP refusal) is final for it.
    if (source.readyState === EventSource.CLOSED) {
      clearTimeout(this.retryTimer);
      this.retryTimer = setTimeout(() => this.reconnect(), RETRY_MILLISECONDS);
    }
  }

  /** Try again now; polling goes on until the stream is open. */
  reconnect(): void {
    const poll = this.pollTimer;
    this.pollTimer = undefined;
    this.start();
    this.pollTimer = poll;
  }

  private heard(data: string): void {
    let topic: unknown;
    try {
      topic = (JSON.parse(data) as { topic?: unknown }).topic;
    } catch {
      return; // not ours: a comment or a proxy's page
    }
    if (!isTopic(topic)) return;
    this.changed.add(topic);
    this.gatherTimer ??= setTimeout(() => this.flush(), GATHER_MILLISECONDS);
  }

  private flush(): void {
    this.gatherTimer = undefined;
    const topics = [...this.changed];
    this.changed.clear();
    this.handlers.onChange(topics);
  }

  private become(state: LiveState): void {
    if (this.state === state) return;
    this.state = state;
    this.listeners.forEach((listener) => listener());
  }
}
