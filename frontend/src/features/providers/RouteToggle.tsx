import { ToggleGroup, ToggleGroupItem } from "@patternfly/react-core";
import { useSearchParams } from "react-router";

const VIEWS = [
  { view: "", label: "Providers" },
  { view: "mechanisms", label: "Mechanisms of all providers" },
];

/** Two views of one tab; which one is shown stands in the URL, and filters do not carry over. */
export function RouteToggle() {
  const [params, setParams] = useSearchParams();
  const shown = params.get("view") ?? "";
  return (
    <ToggleGroup aria-label="What is listed" className="kr-below">
      {VIEWS.map(({ view, label }) => (
        <ToggleGroupItem
          key={view}
          buttonId={`view-${view || "providers"}`}
          text={label}
          isSelected={shown === view}
          onChange={() => setParams(view === "" ? {} : { view })}
        />
      ))}
    </ToggleGroup>
  );
}
