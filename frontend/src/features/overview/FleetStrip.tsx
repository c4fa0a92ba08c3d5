import { Link } from "react-router";
import type { FigureCount, Overview } from "../../api/types";
import { formatCount } from "../../components/format";
import { figureLink } from "./figureLink";

const HOST_LABELS: Record<string, string> = {
  pending: "hosts pending",
  active: "hosts active",
  offline: "hosts offline",
  retired: "hosts retired",
  revoked: "hosts revoked",
};

interface Item {
  label: string;
  to: string;
  count: number;
}

function sum(figures: FigureCount[]): number {
  return figures.reduce((total, { count }) => total + count, 0);
}

function stripItems({ hosts, simulated_hosts: simulated, units }: Overview): Item[] {
  const states = hosts.map((figure) => ({
    label: HOST_LABELS[figure.key] ?? `hosts ${figure.key}`,
    to: figureLink(figure),
    count: figure.count,
  }));
  return [
    ...states.filter(({ label, count }) => count > 0 || label === "hosts active"),
    { label: "hosts simulated", to: figureLink(simulated), count: simulated.count },
    { label: "crypto units", to: "/units", count: sum(units.map(({ total }) => total)) },
    {
      label: "units assigned",
      to: "/units?is_assigned=true",
      count: sum(units.map(({ assigned }) => assigned)),
    },
    {
      label: "units free",
      to: "/units?is_assignable=true&is_assigned=false",
      count: sum(units.map(({ free }) => free)),
    },
    {
      label: "units faulty",
      to: "/units?state=faulty",
      count: sum(units.map(({ faulty }) => faulty)),
    },
  ];
}

/** The fleet in one strip; each number is a link to the list behind it. */
export function FleetStrip({ overview }: { overview: Overview }) {
  return (
    <ul className="kr-strip">
      {stripItems(overview).map(({ label, to, count }) => (
        <li key={label}>
          <Link to={to}>
            <span className="kr-figure kr-figure-large">{formatCount(count)}</span> {label}
          </Link>
        </li>
      ))}
    </ul>
  );
}
