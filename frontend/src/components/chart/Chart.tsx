import type { EChartsCoreOption } from "echarts/core";
import { useEffect, useRef } from "react";
import { useIsDark } from "../../app/theme";
import { echarts } from "./echarts";
import { type Palette, readPalette } from "./palette";

interface Props {
  /** What the chart shows, for those who cannot see it; the table beside it holds the figures. */
  label: string;
  height: number;
  option: (palette: Palette) => EChartsCoreOption;
}

/** One ECharts canvas that follows its box and the theme. */
export function Chart({ label, height, option }: Props) {
  const box = useRef<HTMLDivElement>(null);
  const isDark = useIsDark();
  useEffect(() => {
    const element = box.current;
    if (element === null) return undefined;
    const chart = echarts.init(element);
    chart.setOption(option(readPalette(element)));
    const observer = new ResizeObserver(() => chart.resize());
    observer.observe(element);
    return () => {
      observer.disconnect();
      chart.dispose();
    };
  }, [option, isDark]);
  return <div ref={box} role="img" aria-label={label} style={{ height }} />;
}
