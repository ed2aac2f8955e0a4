import { type MouseEvent, type ReactNode, useState } from 'react';
import type { TimelineRequest } from '../../api/queries.ts';
import { Legend } from '../../parts/charts/swatch.tsx';
import { cachedOf, causeNames, costOf } from '../../parts/request-cost.ts';
import { markOf } from '../../parts/request-marks.ts';
import { countText, shareText } from '../../parts/text/format.ts';

/** The chart's own lengths; the page stretches them. */
const wide = 1000;
const tall = 100;
/** What of its room a request takes, so that neighbours can be told apart. */
const share = 0.86;

/** A round number a little over the largest. Pure. */
export function roundOver(value: number): number {
  const unit = 10 ** Math.floor(Math.log10(Math.max(1, value)));
  return Math.ceil(value / (unit / 2)) * (unit / 2);
}

interface Series {
  readonly tone: string;
  /** Where it begins and ends, by request. */
  readonly spans: readonly (readonly [number, number])[];
}

/** One upright for each request, as one outline. */
function outlineOf(spans: Series['spans'], most: number): string {
  const step = wide / Math.max(1, spans.length);
  const y = (value: number): string => (tall - (value / most) * tall).toFixed(2);
  return spans
    .map(([from, to], index) => {
      const left = (index * step).toFixed(2);
      const right = ((index + share) * step).toFixed(2);
      return `M${left},${y(from)}V${y(to)}H${right}V${y(from)}Z`;
    })
    .join('');
}

interface PlotProps {
  readonly label: string;
  readonly series: readonly Series[];
  readonly most: number;
  readonly limits?: readonly number[];
  readonly marks?: readonly (string | undefined)[];
  readonly here: number | undefined;
  readonly isLow?: boolean;
  readonly onPoint: (index: number | undefined) => void;
  readonly onOpen: (index: number) => void;
}

function Marks({ marks, step }: { marks: PlotProps['marks']; step: number }): ReactNode {
  return marks?.map((tone, index) => {
    if (tone === undefined) return null;
    const x = (index + share / 2) * step;
    return <line key={index} className={`mark tone-${tone}`} x1={x} x2={x} y1={0} y2={7} />;
  });
}

/** The limit of each request, as one line. */
function limitLine(limits: readonly number[], most: number): string {
  const step = wide / Math.max(1, limits.length);
  return limits
    .map((limit, index) => {
      const y = (tall - (limit / most) * tall).toFixed(2);
      return `${(index * step).toFixed(2)},${y} ${((index + 1) * step).toFixed(2)},${y}`;
    })
    .join(' ');
}

function Plot(props: PlotProps): ReactNode {
  const { label, series, most, limits, marks, here, isLow, onPoint, onOpen } = props;
  const count = series[0]?.spans.length ?? 0;
  const step = wide / Math.max(1, count);
  const indexAt = ({ clientX, currentTarget }: MouseEvent): number => {
    const { left, width } = currentTarget.getBoundingClientRect();
    return Math.min(count - 1, Math.max(0, Math.floor(((clientX - left) / width) * count)));
  };
  const x = here === undefined ? undefined : (here + share / 2) * step;
  return (
    <>
      <div className="chart-axis number" aria-hidden="true">
        <span>{countText(most)}</span>
        {isLow === true ? null : <span>{countText(most / 2)}</span>}
        <span>0</span>
      </div>
      <svg
        viewBox={`0 0 ${wide} ${tall}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={label}
        className={isLow === true ? 'is-low' : ''}
        onMouseMove={(event) => {
          onPoint(indexAt(event));
        }}
        onMouseLeave={() => {
          onPoint(undefined);
        }}
        onClick={(event) => {
          onOpen(indexAt(event));
        }}
      >
        <line className="grid-line" x1={0} x2={wide} y1={0} y2={0} />
        <line className="grid-line" x1={0} x2={wide} y1={tall / 2} y2={tall / 2} />
        {series.map(({ tone, spans }) => (
          <path key={tone} className={`area tone-${tone}`} d={outlineOf(spans, most)} />
        ))}
        {limits === undefined ? null : (
          <polyline className="limit-line" points={limitLine(limits, most)} />
        )}
        <Marks marks={marks} step={step} />
        {x === undefined ? null : <line className="here" x1={x} x2={x} y1={0} y2={tall} />}
      </svg>
    </>
  );
}

const tones = [
  ['cached', 'in the cache'],
  ['fresh', 'cache write'],
  ['ink', 'limit'],
  ['flush', 'flush'],
  ['compaction', 'compaction'],
  ['miss', 'cache miss'],
  ['read-back', 'read-back'],
] as const;

function Readout({ request }: { request: TimelineRequest | undefined }): ReactNode {
  if (request === undefined) {
    return <p className="readout muted">Click a request to open it.</p>;
  }
  const { number, flush, tokens } = request;
  return (
    <p className="readout number">
      <strong>Request {number}</strong>: {countText(tokens)} tokens,{' '}
      {shareText(cachedOf(request), tokens)} in the cache, cost {countText(costOf(request))}{' '}
      uncached tokens
      {flush === undefined
        ? ''
        : `; ${countText(flush.beforeTokens - flush.afterTokens)} removed: ${causeNames[flush.cause] ?? flush.cause}`}
    </p>
  );
}

interface ChartProps {
  readonly requests: readonly TimelineRequest[];
  readonly onOpen: (number: number) => void;
}

/** Tokens of each request under the limit, with what the cache held, and its cost. The table beside it says the same. */
export function TimelineChart({ requests, onOpen }: ChartProps): ReactNode {
  const [here, setHere] = useState<number>();
  const open = (index: number): void => {
    const found = requests[index];
    if (found !== undefined) onOpen(found.number);
  };
  const pointing = { here, onPoint: setHere, onOpen: open };
  const tokens = requests.map((request) => request.tokens);
  const cached = requests.map((request) => Math.min(request.tokens, cachedOf(request)));
  const limits = requests.map(({ limitTokens }) => limitTokens);
  const costs = requests.map(costOf);
  return (
    <>
      <div className="chart">
        <Plot
          label="Tokens of each request under the limit, as in the table below"
          series={[
            { tone: 'cached', spans: cached.map((to) => [0, to]) },
            { tone: 'fresh', spans: tokens.map((to, index) => [cached[index] ?? 0, to]) },
          ]}
          most={roundOver(Math.max(1, ...tokens, ...limits) * 1.02)}
          limits={limits}
          marks={requests.map((request, index) => markOf(request, requests[index - 1])?.[0])}
          {...pointing}
        />
        <Plot
          label="Cost of each request, as in the table below"
          series={[{ tone: 'fixed', spans: costs.map((to) => [0, to]) }]}
          most={roundOver(Math.max(1, ...costs))}
          isLow
          {...pointing}
        />
      </div>
      <Readout request={here === undefined ? undefined : requests[here]} />
      <Legend tones={[...tones, ['fixed', 'cost (below)']]} />
    </>
  );
}
