/** Labels as a person types them, `env=prod, site=lab, spare`, to an object and back. */

export function parseLabels(text: string): Record<string, string> {
  const labels: Record<string, string> = {};
  for (const part of text.split(",")) {
    const [key = "", ...value] = part.split("=");
    if (key.trim() !== "") labels[key.trim()] = value.join("=").trim();
  }
  return labels;
}

export function formatLabels(labels: Record<string, string>): string {
  return Object.entries(labels)
    .map(([key, value]) => (value === "" ? key : `${key}=${value}`))
    .join(", ");
}
