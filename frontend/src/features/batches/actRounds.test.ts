import { describe, expect, it } from "vitest";
import { actOnAll, type Outcome } from "./actRounds";

const refusal = { change: "c", host: "alpha", code: "change.state", message: "It has ended." };

describe("acting on a batch", () => {
  it("asks for the rest until nothing is left, and gathers what was refused", async () => {
    const asked: number[] = [];
    const heard: Outcome[] = [];
    const outcome = await actOnAll(
      (after) => {
        asked.push(after);
        const isFirst = after === 0;
        return Promise.resolve({
          done: isFirst ? 40 : 10,
          refused: isFirst ? [] : [refusal],
          left: isFirst ? 11 : 0,
          last: isFirst ? 40 : 51,
        });
      },
      (each) => heard.push(each),
    );
    expect(asked).toEqual([0, 40]);
    expect(outcome).toEqual({ done: 50, refused: [refusal], left: 0 });
    expect(heard.map(({ left }) => left)).toEqual([11, 0]);
  });

  it("ends where a round does not get on", async () => {
    const outcome = await actOnAll(
      () => Promise.resolve({ done: 0, refused: [], left: 5, last: 0 }),
      () => undefined,
    );
    expect(outcome.left).toBe(5);
  });
});
