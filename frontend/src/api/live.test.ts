import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { LiveStream, POLL_MILLISECONDS, type Topic } from "./live";

class FakeSource {
  static latest: FakeSource;
  static readonly CLOSED = 2;
  readyState = 0;
  onopen?: () => void;
  onerror?: () => void;
  onmessage?: (event: { data: string }) => void;
  isClosed = false;
  constructor(readonly url: string) {
    FakeSource.latest = this;
  }
  close() {
    this.isClosed = true;
  }
}

let heard: Topic[][] = [];
let gaps = 0;
let stream: LiveStream;

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal("EventSource", FakeSource);
  heard = [];
  gaps = 0;
  stream = new LiveStream({ onChange: (topics) => heard.push(topics), onGap: () => (gaps += 1) });
  stream.start();
});
afterEach(() => {
  stream.stop();
  vi.useRealTimers();
});

const say = (topic: string) =>
  FakeSource.latest.onmessage?.({ data: JSON.stringify({ topic, id: "1", rev: 1 }) });

it("gathers events of a moment into one change", () => {
  FakeSource.latest.onopen?.();
  ["run", "run", "job"].forEach(say);
  vi.advanceTimersByTime(1000);
  expect(heard).toEqual([["run", "job"]]);
});

it("ignores topics it does not know and what is not JSON", () => {
  FakeSource.latest.onopen?.();
  say("weather");
  FakeSource.latest.onmessage?.({ data: "<html>" });
  vi.advanceTimersByTime(1000);
  expect(heard).toEqual([]);
});

it("polls while it is paused, never faster than every five seconds", () => {
  FakeSource.latest.onopen?.();
  FakeSource.latest.onerror?.();
  expect(stream.getState()).toBe("paused");
  vi.advanceTimersByTime(3 * POLL_MILLISECONDS);
  expect(gaps).toBe(3);
  expect(POLL_MILLISECONDS).toBeGreaterThanOrEqual(5000);
});

it("reads everything again when the stream is back, and stops polling", () => {
  FakeSource.latest.onopen?.();
  FakeSource.latest.onerror?.();
  FakeSource.latest.onopen?.();
  expect([stream.getState(), gaps]).toEqual(["live", 1]);
  vi.advanceTimersByTime(5 * POLL_MILLISECONDS);
  expect(gaps).toBe(1);
});

it("connects again by itself after a refusal, polling meanwhile", () => {
  const first = FakeSource.latest;
  first.readyState = FakeSource.CLOSED;
  first.onerror?.();
  vi.advanceTimersByTime(6000);
  expect(FakeSource.latest).not.toBe(first);
  vi.advanceTimersByTime(POLL_MILLISECONDS);
  expect(gaps).toBeGreaterThanOrEqual(1);
});
