import type { Provider } from "../../api/types";

/**
 * Whether the provider is one whose mechanisms can be allowed and forbidden. Of the kernel's
 * providers only those have a policy whose agent tells what it says of random numbers.
 */
export function hasPolicy({ kind, attributes, gone_at: goneAt }: Provider): boolean {
  if (goneAt !== null) return false;
  if (kind === "pkcs11_library") return true;
  return kind.startsWith("kernel_") && "random" in attributes;
}
