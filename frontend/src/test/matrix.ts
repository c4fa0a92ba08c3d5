/** Small assignment matrices: three cores with counted units, and two virtual functions. */
import type { Matrix, MatrixDomain, MatrixUnit } from "../api/types";

export function aDomain(name: string, more: Partial<MatrixDomain> = {}): MatrixDomain {
  return {
    id: name,
    key: name,
    name,
    state: "active",
    flags: [],
    vcpu: 8,
    cores: [],
    unit_count: 0,
    units_wanted: more.unit_count ?? 0,
    max_units: 1,
    is_control: false,
    reconfiguration: "none",
    ...more,
  };
}

export function aUnit(key: string, more: Partial<MatrixUnit> = {}): MatrixUnit {
  return {
    id: key,
    key,
    name: key,
    kind: "mau",
    state: "active",
    cpuset: [],
    core: null,
    domain_key: null,
    can_serve: [],
    ...more,
  };
}

const core = (number: number, owner: string | null, serves: string[]) =>
  aUnit(`mau:${String(number)}`, {
    name: `Crypto unit of core ${String(number)}`,
    core: String(number),
    cpuset: Array.from({ length: 8 }, (_, strand) => String(number * 8 + strand)),
    domain_key: owner,
    can_serve: serves,
  });

/** primary has both its units; ldg1 and ldg2 share a core whose unit is free. */
export function countedMatrix(): Matrix {
  return {
    host: { id: "h", name: "alpha", is_simulated: true },
    mode: "counted",
    reason: "",
    assigning: { is_accepted: true, reason: "" },
    domains: [
      aDomain("primary", { unit_count: 2, max_units: 2, vcpu: 16, is_control: true }),
      aDomain("ldg1"),
      aDomain("ldg2", { vcpu: 4 }),
    ],
    units: [
      core(0, "primary", ["primary"]),
      core(1, "primary", ["primary"]),
      core(2, null, ["ldg1", "ldg2"]),
    ],
    free: 1,
    open_changes: [],
    snapshot_digest: "now",
    taken_at: null,
  };
}

/** Two virtual functions and two guests; the second function cannot go to the second guest. */
export function addressedMatrix(): Matrix {
  const both = ["guest1", "guest2"];
  return {
    ...countedMatrix(),
    mode: "addressed",
    domains: [aDomain("guest1", { unit_count: 1 }), aDomain("guest2")],
    units: [
      aUnit("vf0", { kind: "qat_vf", domain_key: "guest1", can_serve: both }),
      aUnit("vf1", { kind: "qat_vf", can_serve: ["guest1"] }),
    ],
  };
}
