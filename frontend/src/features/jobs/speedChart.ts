/** The option of the chart of speeds: two bars per cell, each with a whisker from smallest to largest. */
import type {
  CustomSeriesRenderItemAPI,
  CustomSeriesRenderItemParams,
} from "echarts/types/dist/echarts";
import type { EChartsCoreOption } from "echarts/core";
import type { Comparison, Figures } from "../../api/types";
import type { Palette } from "../../components/chart/palette";
import { formatFigure } from "../../components/format";
import { cellName, scaleOf } from "./figures";

const CAP_PIXELS = 5;
const BAR_PIXELS = 18;

const VARIANTS = [
  { key: "software", name: "Software only", offset: 0.5 },
  { key: "accelerated", name: "Accelerated", offset: -0.5 },
] as const;

export function speedOption(rows: Comparison[], unit: string, palette: Palette): EChartsCoreOption {
  const scale = scaleOf(unit);
  const names = rows.map(cellName);
  const median = (figures: Figures) => (figures.median ?? 0) * scale.factor;
  return {
    animation: false,
    aria: { enabled: false, decal: { show: true } },
    textStyle: { fontFamily: palette.font, color: palette.text },
    grid: { left: 8, right: 24, top: 40, bottom: 8, containLabel: true },
    legend: {
      top: 0,
      left: 0,
      textStyle: { color: palette.text },
      data: VARIANTS.map(({ name }) => name),
    },
    tooltip: {
      // Rich text is drawn on the canvas; an HTML tooltip would need style attributes.
      renderMode: "richText",
      trigger: "axis",
      axisPointer: { type: "shadow" },
      backgroundColor: palette.surface,
      borderColor: palette.line,
      textStyle: { color: palette.text },
      formatter: (points: { dataIndex: number }[]) =>
        tooltip(rows[points[0]?.dataIndex ?? -1], scale),
    },
    xAxis: {
      type: "value",
      axisLabel: { color: palette.subtle, formatter: formatFigure, hideOverlap: true },
      splitLine: { lineStyle: { color: palette.line } },
    },
    yAxis: { type: "category", inverse: true, data: names, axisLabel: { color: palette.text } },
    series: VARIANTS.flatMap(({ key, name, offset }) => [
      {
        name,
        type: "bar",
        barWidth: BAR_PIXELS,
        barGap: "10%",
        itemStyle: { color: palette[key] },
        data: rows.map((row) => median(row[key])),
      },
      {
        name,
        type: "custom",
        silent: true,
        z: 5,
        itemStyle: { color: palette.text },
        encode: { x: [1, 2], y: 0 },
        data: rows.map((row, index) => [
          index,
          (row[key].min ?? 0) * scale.factor,
          (row[key].max ?? 0) * scale.factor,
        ]),
        renderItem: (_params: CustomSeriesRenderItemParams, api: CustomSeriesRenderItemAPI) =>
          whisker(api, -offset * BAR_PIXELS * 1.1, palette.text),
      },
    ]),
  };
}

/** A line from smallest to largest with a cap at each end, `shift` pixels below the row's middle. */
export function whisker(api: CustomSeriesRenderItemAPI, shift: number, color: string) {
  const [fromX = 0, y = 0] = api.coord([api.value(1), api.value(0)]);
  const [toX = 0] = api.coord([api.value(2), api.value(0)]);
  const line = (x1: number, y1: number, x2: number, y2: number) => ({
    type: "line" as const,
    shape: { x1, y1, x2, y2 },
    style: { stroke: color, lineWidth: 1.5 },
  });
  const middle = y + shift;
  return {
    type: "group" as const,
    children: [
      line(fromX, middle, toX, middle),
      line(fromX, middle - CAP_PIXELS, fromX, middle + CAP_PIXELS),
      line(toX, middle - CAP_PIXELS, toX, middle + CAP_PIXELS),
    ],
  };
}

function tooltip(row: Comparison | undefined, scale: { unit: string; factor: number }): string {
  if (row === undefined) return "";
  const line = (name: string, { median, min, max }: Figures) =>
    median === undefined || min === undefined || max === undefined
      ? `${name}: not measured`
      : `${name}: ${formatFigure(median * scale.factor)} ${scale.unit} ` +
        `(${formatFigure(min * scale.factor)}–${formatFigure(max * scale.factor)})`;
  return [
    cellName(row),
    line("Software only", row.software),
    line("Accelerated", row.accelerated),
  ].join("\n");
}
