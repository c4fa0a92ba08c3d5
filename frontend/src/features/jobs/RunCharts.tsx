import { Grid, GridItem, Title } from "@patternfly/react-core";
import { useCallback } from "react";
import type { Comparison } from "../../api/types";
import { Chart } from "../../components/chart/Chart";
import type { Palette } from "../../components/chart/palette";
import { byMetric, scaleOf } from "./figures";
import { ratioOption } from "./ratioChart";
import { speedOption } from "./speedChart";

const ROW_PIXELS = 56;
const FRAME_PIXELS = 90;

/** Speeds with their spread, and the ratios with their intervals. The tables below hold the same figures. */
export default function RunCharts({ comparisons }: { comparisons: Comparison[] }) {
  const rated = comparisons.filter(({ ratio }) => ratio !== null);
  return (
    <Grid hasGutter>
      {byMetric(comparisons).map(({ unit, rows }) => (
        <GridItem key={unit} xl={7}>
          <SpeedChart unit={unit} rows={rows} />
        </GridItem>
      ))}
      {rated.length > 0 && (
        <GridItem xl={5}>
          <RatioChart rows={rated} />
        </GridItem>
      )}
    </Grid>
  );
}

function SpeedChart({ unit, rows }: { unit: string; rows: Comparison[] }) {
  const shown = scaleOf(unit).unit;
  const option = useCallback((palette: Palette) => speedOption(rows, unit, palette), [rows, unit]);
  return (
    <>
      <Title headingLevel="h3" size="md">
        Median and spread, {shown}
      </Title>
      <Chart
        label={`Bars of the median ${shown} with and without acceleration, with the smallest and largest sample`}
        height={rows.length * ROW_PIXELS + FRAME_PIXELS}
        option={option}
      />
    </>
  );
}

function RatioChart({ rows }: { rows: Comparison[] }) {
  const option = useCallback((palette: Palette) => ratioOption(rows, palette), [rows]);
  return (
    <>
      <Title headingLevel="h3" size="md">
        Ratio, accelerated to software, with 95 % interval
      </Title>
      <Chart
        label="Ratios of accelerated to software with their 95 % intervals; 1 means no difference"
        height={rows.length * ROW_PIXELS + FRAME_PIXELS}
        option={option}
      />
    </>
  );
}
