/** Turns values into places along an axis. */
export interface ChartScale {
  readonly place: (value: number) => number;
  /** Values at which the axis is marked. */
  readonly ticks: readonly number[];
}

/** Steps that people count in. */
const steps = [1, 2, 2.5, 5, 10] as const;

/** A step of a size that people count in, so that about `count` of them fill `span`. */
function niceStep(span: number, count: number): number {
  const rough = span / count;
  const power = 10 ** Math.floor(Math.log10(rough));
  return (steps.find((step) => step * power >= rough) ?? 10) * power;
}

/** What an axis shows, and where it lies. */
export interface ScaleInput {
  readonly least: number;
  readonly most: number;
  /** Places of the least and the most value. */
  readonly from: number;
  readonly to: number;
  /** About how many marks. */
  readonly marks: number;
}

/** A linear axis. Pure; works where all values are equal, too. */
export function chartScale({ least, most, from, to, marks }: ScaleInput): ChartScale {
  const span = most > least ? most - least : 1;
  const step = niceStep(span, marks);
  const ticks: number[] = [];
  for (let value = Math.ceil(least / step) * step; value <= most + step / 1e6; value += step) {
    ticks.push(Number(value.toPrecision(12)));
  }
  return { place: (value) => from + ((value - least) / span) * (to - from), ticks };
}
