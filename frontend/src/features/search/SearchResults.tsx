import { Menu, MenuContent, MenuGroup, MenuItem, MenuList } from "@patternfly/react-core";
import { useQuery } from "@tanstack/react-query";
import type { KeyboardEvent, Ref } from "react";
import { asApiError } from "../../api/errors";
import { searchQuery } from "../../api/queries";
import { hitDetail, hitLink, kindTitle } from "./hits";

const PER_KIND = 4;

interface MenuProps {
  ref: Ref<HTMLDivElement>;
  text: string;
  onGo: (to: string) => void;
  onKeyDown: (event: KeyboardEvent) => void;
}

/** The best few matches of each kind, under the field one types into. */
export function SearchMenu({ ref, text, onGo, onKeyDown }: MenuProps) {
  return (
    <Menu ref={ref} isScrollable onKeyDown={onKeyDown} onSelect={(_event, to) => onGo(String(to))}>
      <MenuContent>
        <SearchResults text={text} />
      </MenuContent>
    </Menu>
  );
}

function SearchResults({ text }: { text: string }) {
  const search = useQuery(searchQuery(text));
  const groups = search.data?.groups ?? [];
  return (
    <>
      {groups.map((group) => (
        <MenuGroup key={group.kind} label={kindTitle(group)} labelHeadingLevel="h2">
          <MenuList>
            {group.results.slice(0, PER_KIND).map((hit) => (
              <MenuItem key={hit.id} itemId={hitLink(hit)} description={hitDetail(hit)}>
                <span className="kr-mono">{hit.title}</span>
              </MenuItem>
            ))}
          </MenuList>
        </MenuGroup>
      ))}
      <MenuList>
        <MenuItem
          itemId={`/search?q=${encodeURIComponent(text)}`}
          description={outcome(search.isLoading, search.error, groups.length)}
        >
          All results for “{text}”
        </MenuItem>
      </MenuList>
    </>
  );
}

function outcome(isLoading: boolean, error: unknown, groups: number): string | undefined {
  if (error !== null) return asApiError(error).message;
  if (isLoading) return "Looking …";
  return groups === 0 ? "Nothing carries that name." : undefined;
}
