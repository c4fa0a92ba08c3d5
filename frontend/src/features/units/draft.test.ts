import { expect, test } from "vitest";
import { addressedMatrix, countedMatrix } from "../../test/matrix";
import {
  baseOf,
  countSet,
  draftFitted,
  draftWords,
  freeAfter,
  keptRead,
  keptWrite,
  NO_DRAFT,
  parametersOf,
  pendingCount,
  unitToggle,
  vcpusSet,
} from "./draft";
import { changedElsewhere } from "./elsewhere";

const matrix = countedMatrix();
const [primary, ldg1] = matrix.domains;
if (primary === undefined || ldg1 === undefined) throw new Error("the cast is not complete");

test("a draft loses what has become so meanwhile, and domains that are gone", () => {
  const draft = { ...NO_DRAFT, counts: { primary: 2, ldg1: 1, gone: 3 } };
  expect(draftFitted(matrix, draft).counts).toEqual({ ldg1: 1 });
});

test("setting a number back takes it out of the draft", () => {
  const draft = countSet(countSet(NO_DRAFT, ldg1, 1), ldg1, 0);
  expect(pendingCount(draftFitted(matrix, draft))).toBe(0);
});

test("a draft with what it was begun from is kept over a reload", () => {
  const kept = { draft: countSet(NO_DRAFT, ldg1, 1), base: baseOf(matrix) };
  keptWrite("h", kept);
  expect(keptRead("h")).toEqual(kept);
});

test("an empty draft is not kept", () => {
  keptWrite("h", { draft: countSet(NO_DRAFT, ldg1, 1), base: baseOf(matrix) });
  keptWrite("h", { draft: NO_DRAFT, base: baseOf(matrix) });
  expect(keptRead("h")).toBeNull();
});

test.each(["{", "7", '{"draft": {}}', '{"ldg1": 1}'])("a damaged draft (%s) is none", (text) => {
  localStorage.setItem("keyrack.assignment.h", text);
  expect(keptRead("h")).toBeNull();
});

test("parameters name what is asked for, and nothing else", () => {
  const draft = vcpusSet(countSet(NO_DRAFT, ldg1, 1), ldg1, 16);
  expect(parametersOf(draft)).toEqual({ counts: { ldg1: 1 }, vcpus: { ldg1: 16 } });
});

test("free units follow the draft", () => {
  expect(freeAfter(matrix, countSet(NO_DRAFT, primary, 0))).toBe(3);
});

test("a draft in words tells what is and what shall be", () => {
  const draft = vcpusSet(countSet(NO_DRAFT, ldg1, 1), ldg1, 16);
  expect(draftWords(matrix, draft)).toEqual(["ldg1: units 0 → 1", "ldg1: virtual CPUs 8 → 16"]);
});

test("toggling the cell of the owner frees the unit, another one moves it", () => {
  const addressed = addressedMatrix();
  const [vf] = addressed.units;
  if (vf === undefined) throw new Error("the cast is not complete");
  expect(unitToggle(NO_DRAFT, vf, "guest1").units).toEqual({ vf0: "" });
  const moved = unitToggle(NO_DRAFT, vf, "guest2");
  expect(moved.units).toEqual({ vf0: "guest2" });
  expect(pendingCount(draftFitted(addressed, unitToggle(moved, vf, "guest1")))).toBe(0);
});

test("what changed elsewhere meanwhile is told", () => {
  const later = countedMatrix();
  const base = baseOf(matrix);
  later.snapshot_digest = "later";
  const [first] = later.domains;
  if (first !== undefined) first.unit_count = 1;
  expect(changedElsewhere(later, base)).toEqual(["primary had 2 units, has 1."]);
});

test("another inventory with the same assignment is no change", () => {
  expect(changedElsewhere({ ...matrix, snapshot_digest: "later" }, baseOf(matrix))).toEqual([]);
});
