import { Label } from "@patternfly/react-core";
import CheckCircleIcon from "@patternfly/react-icons/dist/esm/icons/check-circle-icon";
import { Link } from "react-router";
import type { FigureCount, Overview } from "../../api/types";
import { formatCount, words } from "../../components/format";
import { StateLabel } from "../../components/StateLabel";
import { figureLink } from "./figureLink";

type Severity = "critical" | "warning" | "notice";

interface Item {
  severity: Severity;
  label: string;
  figure: FigureCount;
}

const PIN_LABELS: Record<string, [Severity, string]> = {
  locked: ["critical", "tokens with a locked user PIN"],
  final_try: ["warning", "tokens with one PIN try left"],
  count_low: ["warning", "tokens with few PIN tries left"],
};
const CERTIFICATE_LABELS: Record<string, [Severity, string]> = {
  expired: ["critical", "certificates have expired"],
  within_30_days: ["warning", "certificates expire within 30 days"],
  within_90_days: ["notice", "certificates expire within 90 days"],
};
const FINDING_LABELS: Record<string, [Severity, string]> = {
  critical: ["critical", "critical findings"],
  warning: ["warning", "warnings"],
  notice: ["notice", "notices"],
};
const CHANGE_LABELS: Record<string, [Severity, string]> = {
  attention: ["critical", "changes need a person"],
  approval: ["warning", "changes wait for an approval"],
  reboot: ["warning", "changes wait for a reboot"],
  apply: ["notice", "changes are ready to be applied"],
};
const ORDER: Severity[] = ["critical", "warning", "notice"];

function labelled(figures: FigureCount[], labels: Record<string, [Severity, string]>): Item[] {
  return figures.map((figure) => {
    const [severity, label] = labels[figure.key] ?? ["notice", words(figure.key)];
    return { severity, label, figure };
  });
}

/** What needs a person, most urgent first; what counts nothing is left out. */
export function attentionItems(overview: Overview): Item[] {
  const offline = overview.hosts.filter(({ key }) => key === "offline");
  const items: Item[] = [
    ...labelled(offline, { offline: ["critical", "hosts offline"] }),
    ...labelled(overview.changes, CHANGE_LABELS),
    ...labelled(overview.token_pins, PIN_LABELS),
    ...labelled(overview.certificates, CERTIFICATE_LABELS),
    ...labelled([overview.failed_runs], {
      failed: ["warning", "runs went wrong in the last 7 days"],
    }),
    ...labelled(overview.findings, FINDING_LABELS),
  ];
  return items
    .filter(({ figure }) => figure.count > 0)
    .sort((a, b) => ORDER.indexOf(a.severity) - ORDER.indexOf(b.severity));
}

export function Attention({ overview }: { overview: Overview }) {
  const items = attentionItems(overview);
  if (items.length === 0) {
    return (
      <Label color="green" icon={<CheckCircleIcon />}>
        Nothing needs you now
      </Label>
    );
  }
  return (
    <ul className="kr-attention">
      {items.map(({ severity, label, figure }) => (
        <li key={`${figure.list} ${figure.key}`}>
          <StateLabel state={severity} />
          <Link to={figureLink(figure)}>
            <span className="kr-figure">{formatCount(figure.count)}</span> {label}
          </Link>
        </li>
      ))}
    </ul>
  );
}
