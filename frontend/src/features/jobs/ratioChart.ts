/** The option of the chart of ratios: a point and its 95 % interval per cell, on a log axis around 1. */
import type { EChartsCoreOption } from "echarts/core";
import type {
  CustomSeriesRenderItemAPI,
  CustomSeriesRenderItemParams,
} from "echarts/types/dist/echarts";
import type { Comparison } from "../../api/types";
import type { Palette } from "../../components/chart/palette";
import { cellName, formatRatio } from "./figures";
import { whisker } from "./speedChart";

const POINT_PIXELS = 4;
const LABEL_PIXELS = 15;

/** Ends of the axis: powers of two around all intervals, and always around 1. */
export function ratioRange(rows: Comparison[]): [number, number] {
  const values = rows
    .flatMap(({ ratio, low, high }) => [ratio, low, high])
    .filter((v) => v !== null);
  const least = Math.min(1, ...values);
  const most = Math.max(1, ...values);
  return [2 ** Math.floor(Math.log2(least) - 0.2), 2 ** Math.ceil(Math.log2(most) + 0.2)];
}

export function ratioOption(rows: Comparison[], palette: Palette): EChartsCoreOption {
  const [min, max] = ratioRange(rows);
  return {
    animation: false,
    textStyle: { fontFamily: palette.font, color: palette.text },
    grid: { left: 8, right: 24, top: 40, bottom: 8, containLabel: true },
    tooltip: { show: false },
    xAxis: {
      type: "log",
      logBase: 2,
      min,
      max,
      axisLabel: { color: palette.subtle, formatter: (value: number) => `${formatTick(value)}×` },
      splitLine: { lineStyle: { color: palette.line } },
    },
    yAxis: {
      type: "category",
      inverse: true,
      data: rows.map(cellName),
      axisLabel: { color: palette.text },
    },
    series: [
      {
        type: "custom",
        silent: true,
        encode: { x: [1, 2, 3], y: 0 },
        data: rows.map(({ ratio, low, high }, index) => [
          index,
          low ?? ratio,
          high ?? ratio,
          ratio,
        ]),
        renderItem: (_params: CustomSeriesRenderItemParams, api: CustomSeriesRenderItemAPI) =>
          ratioMark(api, palette),
        markLine: {
          symbol: "none",
          silent: true,
          label: { show: false },
          lineStyle: { color: palette.text, type: "dashed" },
          data: [{ xAxis: 1 }],
        },
      },
    ],
  };
}

function ratioMark(api: CustomSeriesRenderItemAPI, palette: Palette) {
  const value = Number(api.value(3));
  const [x = 0, y = 0] = api.coord([value, api.value(0)]);
  const interval = whisker(api, 0, palette.text);
  return {
    ...interval,
    children: [
      ...interval.children,
      {
        type: "circle" as const,
        shape: { cx: x, cy: y, r: POINT_PIXELS },
        style: { fill: palette.accelerated, stroke: palette.surface, lineWidth: 1.5 },
      },
      {
        type: "text" as const,
        style: {
          text: `${formatRatio(value)}×`,
          x,
          y: y - LABEL_PIXELS,
          align: "center" as const,
          verticalAlign: "middle" as const,
          fill: palette.text,
          font: `12px ${palette.font}`,
        },
      },
    ],
  };
}

function formatTick(value: number): string {
  return value >= 1 ? String(Math.round(value)) : String(Number(value.toPrecision(2)));
}
