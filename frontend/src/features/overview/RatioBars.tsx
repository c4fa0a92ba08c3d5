import type { Speedup } from "../../api/types";
import { cellName, formatRatio } from "../jobs/figures";

const WIDTH = 200;
const HEIGHT = 12;

/** Small bars of ratios on a log scale around 1: to the right acceleration gains, to the left it loses. */
export function RatioBars({ speedups }: { speedups: Speedup[] }) {
  const rows = speedups.filter(({ ratio }) => ratio > 0);
  if (rows.length === 0) return null;
  const reach = Math.max(1, ...rows.map(({ ratio }) => Math.abs(Math.log2(ratio))));
  const loses = rows.some(({ ratio }) => ratio < 0.97);
  const zero = loses ? WIDTH / 2 : 1;
  const scale = (WIDTH - zero - 1) / reach;
  return (
    <dl className="kr-ratios">
      {rows.map((row, index) => {
        const length = Math.log2(row.ratio) * scale;
        return (
          <div key={`${row.cell} ${index}`}>
            <dt className="kr-mono">{cellName(row)}</dt>
            <dd>
              <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} aria-hidden="true" focusable="false">
                <rect
                  className={length < 0 ? "kr-bar-loss" : "kr-bar"}
                  x={zero + Math.min(0, length)}
                  y={2}
                  width={Math.max(1, Math.abs(length))}
                  height={HEIGHT - 4}
                  rx={2}
                />
                <line className="kr-bar-one" x1={zero} x2={zero} y1={0} y2={HEIGHT} />
              </svg>
              <span className="kr-number">{formatRatio(row.ratio)} ×</span>
            </dd>
          </div>
        );
      })}
    </dl>
  );
}
