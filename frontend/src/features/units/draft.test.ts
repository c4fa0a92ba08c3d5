import { beforeEach, expect, test } from "vitest";
import type { Matrix, MatrixDomain } from "../../api/types";
import { conflicts, draftKeep, draftRead } from "./draft";

function domain(name: string, units: number, max: number): MatrixDomain {
  return {
    id: name,
    key: name,
    name,
    state: "active",
    flags: [],
    vcpu: 8,
    cores: [],
    unit_count: units,
    units_wanted: units,
    max_units: max,
    is_control: false,
    reconfiguration: "none",
  };
}

const unit = (number: number) => ({
  id: String(number),
  key: String(number),
  name: "",
  kind: "mau",
  state: "active",
  cpuset: [],
  core: null,
  domain_key: null,
  can_serve: [],
});

const matrix: Matrix = {
  host: { id: "h", name: "alpha", is_simulated: true },
  mode: "counted",
  reason: "",
  domains: [domain("primary", 2, 2), domain("ldg1", 0, 2)],
  units: [unit(0), unit(1), unit(2)],
  free: 1,
  open_changes: [],
  snapshot_digest: "",
  taken_at: null,
};

beforeEach(() => localStorage.clear());

test("a draft survives, but for what has become so meanwhile", () => {
  draftKeep(matrix, { primary: 2, ldg1: 1, gone: 3 });
  expect(draftRead(matrix)).toEqual({ ldg1: 1 });
});

test("a damaged draft is none", () => {
  localStorage.setItem("keyrack.assignment.h", "{");
  expect(draftRead(matrix)).toEqual({});
});

test("more than the cores have, or than there is, is a conflict", () => {
  expect(conflicts(matrix, { primary: 1 })).toEqual({});
  expect(Object.keys(conflicts(matrix, { primary: 3 }))).toEqual(["primary"]);
  expect(Object.keys(conflicts(matrix, { ldg1: 2 }))).toEqual([""]);
});
