import { batchCreate, changeCreate } from "../../api/mutations";

/** Ask for a change of one host, or a batch of several; return the address of what was made. */
export async function askFor(
  kind: string,
  hosts: string[],
  parameters: Record<string, unknown>,
  reason: string,
): Promise<string> {
  const [host, ...more] = hosts;
  if (host !== undefined && more.length === 0) {
    const change = await changeCreate({ host, kind, parameters, reason, is_draft: false });
    return `/changes/${change.id}`;
  }
  const batch = await batchCreate({ hosts, kind, parameters, reason, skip_refused: true });
  return `/changes/batches/${batch.id}`;
}
