import {
  DescriptionList,
  DescriptionListDescription,
  DescriptionListGroup,
  DescriptionListTerm,
} from "@patternfly/react-core";
import type { ReactNode } from "react";

export type Fact = [term: string, value: ReactNode];

/** Terms and values. What is empty is left out rather than shown as a dash. */
export function Facts({ facts, columns = 2 }: { facts: Fact[]; columns?: 1 | 2 | 3 }) {
  const shown = facts.filter(([, value]) => value !== null && value !== undefined && value !== "");
  return (
    <DescriptionList
      isCompact
      columnModifier={{
        default: "1Col",
        lg: columns === 1 ? "1Col" : "2Col",
        ...(columns === 3 ? { xl: "3Col" } : {}),
      }}
    >
      {shown.map(([term, value]) => (
        <DescriptionListGroup key={term}>
          <DescriptionListTerm>{term}</DescriptionListTerm>
          <DescriptionListDescription>{value}</DescriptionListDescription>
        </DescriptionListGroup>
      ))}
    </DescriptionList>
  );
}
