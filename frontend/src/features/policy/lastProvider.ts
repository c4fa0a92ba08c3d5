/** Which mechanisms nobody else would provide on a host. The host judges it again, and refuses. */
import type { Mechanism } from "../../api/types";

const KERNEL = ["kernel_software", "kernel_hardware"];

/** Applications and the kernel each need a provider of their own level. */
const levelOf = (kind: string): string => (KERNEL.includes(kind) ? "kernel" : kind);

/**
 * Of the named mechanisms, those that no other provider of the level offers and allows, sorted.
 * `rows` are the host's mechanisms of these names, of all its providers.
 */
export function onlyProvided(
  names: string[],
  provider: { name: string; kind: string },
  rows: Mechanism[],
): string[] {
  const others = new Set(
    rows
      .filter(
        (row) =>
          row.provider.name !== provider.name &&
          levelOf(row.provider.kind) === levelOf(provider.kind) &&
          row.is_offered &&
          row.is_allowed !== false &&
          row.gone_at === null,
      )
      .map(({ name }) => name),
  );
  return names.filter((name) => !others.has(name)).sort();
}
