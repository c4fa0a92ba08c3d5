import { expect, test } from "vitest";
import type { Matrix } from "../../api/types";
import { addressedMatrix, aDomain, aUnit, countedMatrix } from "../../test/matrix";
import { conflictCount, conflictsOf } from "./conflicts";
import { type Draft, NO_DRAFT } from "./draft";

const asking = (matrix: Matrix, draft: Partial<Draft>) =>
  conflictsOf(matrix, { ...NO_DRAFT, ...draft });

test("what the cores have can be had", () => {
  expect(conflictCount(asking(countedMatrix(), { counts: { primary: 1, ldg1: 1 } }))).toBe(0);
});

test("more than the cores have is a conflict that says with how many CPUs it is none", () => {
  const matrix = countedMatrix();
  const { domains } = asking(matrix, { counts: { primary: 1, ldg1: 2 } });
  expect(domains.get("ldg1")?.text).toMatch(/one core/);
  expect(domains.get("ldg1")?.cpus).toBe(16);
});

test("with the CPUs that are offered there is no conflict any more", () => {
  const matrix = countedMatrix();
  const draft = { counts: { primary: 0, ldg1: 2 }, vcpus: { ldg1: 16 } };
  expect(conflictCount(asking(matrix, draft))).toBe(0);
});

test("more than the host has is a conflict of the whole draft", () => {
  expect(asking(countedMatrix(), { counts: { ldg1: 2 } }).whole).toMatch(/4 units are asked for/);
});

test("two domains on one core cannot both have its unit", () => {
  const { domains } = asking(countedMatrix(), { counts: { primary: 1, ldg1: 1, ldg2: 1 } });
  expect([...domains.keys()]).toEqual(["ldg2"]);
  expect(domains.get("ldg2")?.text).toMatch(/core 2 is ldg1’s/);
});

test("a unit that one domain could do without is left to the one that could not", () => {
  const matrix: Matrix = {
    ...countedMatrix(),
    domains: [aDomain("a", { max_units: 2 }), aDomain("b", { max_units: 1 })],
    units: [
      aUnit("0", { core: "0", can_serve: ["a", "b"] }),
      aUnit("1", { core: "1", can_serve: ["a"] }),
    ],
  };
  expect(conflictCount(asking(matrix, { counts: { a: 1, b: 1 } }))).toBe(0);
});

test("a domain that waits for its reboot takes no change", () => {
  const matrix = countedMatrix();
  matrix.domains[1] = aDomain("ldg1", { reconfiguration: "pending" });
  expect(asking(matrix, { counts: { ldg1: 1 } }).domains.get("ldg1")?.text).toMatch(/reboot/);
});

test("an inactive domain has no cores", () => {
  const matrix = countedMatrix();
  matrix.domains[1] = aDomain("ldg1", { state: "inactive", max_units: 0 });
  expect(asking(matrix, { counts: { ldg1: 1 } }).domains.get("ldg1")?.text).toMatch(/inactive/);
});

test("a unit goes only to a domain that it can serve", () => {
  const { units } = asking(addressedMatrix(), { units: { vf0: "guest2", vf1: "guest2" } });
  expect([...units.keys()]).toEqual(["vf1"]);
});

test("the largest machine is judged fast enough to edit", () => {
  const domains = Array.from({ length: 64 }, (_, number) =>
    aDomain(`d${String(number)}`, { max_units: 8 }),
  );
  const units = Array.from({ length: 256 }, (_, number) =>
    aUnit(String(number), {
      core: String(number),
      can_serve: [`d${String(number % 64)}`, `d${String((number + 1) % 64)}`],
    }),
  );
  const matrix: Matrix = { ...countedMatrix(), domains, units };
  const counts = Object.fromEntries(domains.map(({ key }) => [key, 4]));
  expect(conflictCount(asking(matrix, { counts }))).toBe(0);
});
