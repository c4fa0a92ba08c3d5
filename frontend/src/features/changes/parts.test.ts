import { expect, test } from "vitest";
import { changedParts, partValue, typed } from "./parts";

test("values of parts read as words", () => {
  expect([partValue([]), partValue(["a", "b"]), partValue(null), partValue(true)]).toEqual([
    "none",
    "a, b",
    "nothing",
    "yes",
  ]);
});

test("a command is quoted where a shell would split it", () => {
  expect(typed(["/usr/sbin/ldm", "set-crypto", "1", "primary"])).toBe(
    "/usr/sbin/ldm set-crypto 1 primary",
  );
  expect(typed(["token=it's mine"])).toBe(`'token=it'"'"'s mine'`);
});

test("only what a step changes is shown", () => {
  expect(changedParts({ a: 1, b: 2 }, { a: 1, b: 3, c: "x" })).toEqual([
    { part: "b", before: "2", after: "3" },
    { part: "c", before: "nothing", after: "x" },
  ]);
});
