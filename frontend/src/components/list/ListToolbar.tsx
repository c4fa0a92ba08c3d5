import {
  Button,
  Toolbar,
  ToolbarContent,
  ToolbarGroup,
  ToolbarItem,
  ToolbarToggleGroup,
} from "@patternfly/react-core";
import DownloadIcon from "@patternfly/react-icons/dist/esm/icons/download-icon";
import FilterIcon from "@patternfly/react-icons/dist/esm/icons/filter-icon";
import type { ReactNode } from "react";
import { ChoiceFilter } from "./ChoiceFilter";
import { GivenFilter, HostFilter } from "./GivenFilter";
import { TextFilter } from "./TextFilter";
import type { Filter } from "./types";
import type { ListState } from "./useListState";

interface Props<Name extends string> {
  filters: Filter<Name>[];
  state: ListState;
  /** Where all rows that match can be had as CSV. */
  csvHref: string;
  actions?: ReactNode;
  pager?: ReactNode;
}

export function ListToolbar<Name extends string>(props: Props<Name>) {
  const { filters, state, csvHref, actions, pager } = props;
  return (
    <Toolbar
      clearAllFilters={() => state.clear(filters.map((filter) => filter.name))}
      clearFiltersButtonText="Clear all filters"
      inset={{ default: "insetNone" }}
    >
      <ToolbarContent>
        <ToolbarToggleGroup toggleIcon={<FilterIcon />} breakpoint="lg">
          <ToolbarGroup variant="filter-group">
            {filters.map((filter) => (
              <OneFilter key={filter.name} filter={filter} state={state} />
            ))}
          </ToolbarGroup>
        </ToolbarToggleGroup>
        {actions !== undefined && <ToolbarItem>{actions}</ToolbarItem>}
        <ToolbarItem>
          <Button
            component="a"
            href={csvHref}
            download
            variant="plain"
            icon={<DownloadIcon />}
            aria-label="Download all matching rows as CSV"
            title="Download all matching rows as CSV"
          />
        </ToolbarItem>
        {pager !== undefined && (
          <ToolbarItem variant="pagination" align={{ default: "alignEnd" }}>
            {pager}
          </ToolbarItem>
        )}
      </ToolbarContent>
    </Toolbar>
  );
}

function OneFilter<Name extends string>(props: { filter: Filter<Name>; state: ListState }) {
  const { filter, state } = props;
  const { set } = state;
  const value = state.get(filter.name);
  const onChange = (next: string) => set(filter.name, next);
  if (filter.kind === "given" || filter.kind === "host") {
    if (value === "") return null;
    if (filter.kind === "host") return <HostFilter value={value} onClear={() => onChange("")} />;
    const text = filter.show?.(value) ?? value;
    return <GivenFilter label={filter.label} text={text} onClear={() => onChange("")} />;
  }
  if (filter.kind === "text") {
    return <TextFilter label={filter.label} value={value} onChange={onChange} />;
  }
  return (
    <ChoiceFilter
      label={filter.label}
      options={filter.options}
      isMulti={filter.kind === "choices"}
      value={value}
      onChange={onChange}
    />
  );
}
