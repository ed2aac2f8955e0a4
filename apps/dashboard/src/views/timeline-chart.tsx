import type { MouseEvent, ReactNode } from 'react';
import type { TimelineRequest } from '../api/queries.ts';
import { shortText } from '../parts/format.ts';
import { cachedOf } from '../parts/request-cost.ts';

interface ChartProps {
  readonly requests: readonly TimelineRequest[];
  readonly onOpen: (number: number) => void;
}

/** The chart's own lengths; the page stretches them. */
const wide = 1000;
const tall = 100;

interface Scale {
  readonly x: (index: number) => number;
  readonly y: (tokens: number) => number;
  readonly most: number;
}

/** A round number a little over the largest. */
function roundOver(value: number): number {
  const unit = 10 ** Math.floor(Math.log10(Math.max(1, value)));
  return Math.ceil(value / (unit / 2)) * (unit / 2);
}

function scaleOf(requests: readonly TimelineRequest[]): Scale {
  const sizes = requests.flatMap(({ tokens, limitTokens }) => [tokens, limitTokens]);
  const most = roundOver(Math.max(1, ...sizes) * 1.02);
  const step = wide / Math.max(1, requests.length);
  return { x: (index) => (index + 0.5) * step, y: (tokens) => tall - (tokens / most) * tall, most };
}

function lineOf(values: readonly number[], { x, y }: Scale): string {
  return values.map((value, index) => `${x(index).toFixed(1)},${y(value).toFixed(2)}`).join(' ');
}

function areaOf(values: readonly number[], scale: Scale): string {
  const last = scale.x(values.length - 1).toFixed(1);
  return `${scale.x(0).toFixed(1)},${tall} ${lineOf(values, scale)} ${last},${tall}`;
}

/** A line over each request for which something left or was summed up. */
function Marks({ requests, scale }: Pick<ChartProps, 'requests'> & { scale: Scale }): ReactNode {
  return requests.map(({ flush, compaction, sequence }, index) => {
    if (flush === undefined && compaction === undefined) return null;
    const tone = flush === undefined ? 'compaction' : 'flush';
    const x = scale.x(index);
    return <line key={sequence} className={`mark stroke-${tone}`} x1={x} x2={x} y1={0} y2={tall} />;
  });
}

/** Tokens of each request under the limit, with what the cache held. The table beside it says the same. */
export function TimelineChart({ requests, onOpen }: ChartProps): ReactNode {
  const scale = scaleOf(requests);
  const open = ({ clientX, currentTarget }: MouseEvent): void => {
    const { left, width } = currentTarget.getBoundingClientRect();
    const found = requests[Math.floor(((clientX - left) / width) * requests.length)];
    if (found !== undefined) onOpen(found.number);
  };
  const tokens = requests.map((request) => request.tokens);
  const cached = requests.map(cachedOf);
  const limits = requests.map(({ limitTokens }) => limitTokens);
  return (
    <div className="chart">
      <div className="chart-axis number" aria-hidden="true">
        <span>{shortText(scale.most)}</span>
        <span>{shortText(scale.most / 2)}</span>
        <span>0</span>
      </div>
      <svg
        viewBox={`0 0 ${wide} ${tall}`}
        preserveAspectRatio="none"
        role="img"
        aria-label="Tokens of each request under the limit; the table says the same"
        onClick={open}
      >
        <line className="grid" x1={0} x2={wide} y1={tall / 2} y2={tall / 2} />
        <line className="grid" x1={0} x2={wide} y1={0} y2={0} />
        <Marks requests={requests} scale={scale} />
        <polygon className="area-tokens" points={areaOf(tokens, scale)} />
        <polygon className="area-cached" points={areaOf(cached, scale)} />
        <polyline className="line-tokens" points={lineOf(tokens, scale)} />
        <polyline className="line-limit" points={lineOf(limits, scale)} />
      </svg>
    </div>
  );
}
