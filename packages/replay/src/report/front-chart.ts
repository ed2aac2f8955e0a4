import type { ReplayRow } from '../summary/replay-summary.ts';
import { type ChartScale, chartScale } from './chart-scale.ts';
import { type Html, html } from './html.ts';
import { type PlacedLabel, placeLabels } from './place-labels.ts';
import { groupOf, type PolicyGroup } from './policy-group.ts';

/** What a chart sets against cost. */
export interface FrontMeasure {
  readonly title: string;
  /** One sentence: what the share is a share of. */
  readonly meaning: string;
  readonly part: (row: ReplayRow) => number;
  readonly whole: (row: ReplayRow) => number;
}

const size = { width: 560, height: 400 };
const room = { left: 52, right: 548, top: 14, bottom: 356 };

interface Point {
  readonly row: ReplayRow;
  readonly group: PolicyGroup;
  readonly x: number;
  readonly y: number;
}

/** A number for SVG. */
const at = (value: number): string => value.toFixed(1);

const units = [
  [1e6, ' M'],
  [1e3, ' k'],
  [1, ''],
] as const;

/** A number in three digits, for an axis. */
function shortNumber(value: number): string {
  const [size, sign] = units.find(([least]) => value >= least) ?? [1, ''];
  return `${(value / size).toLocaleString('en-US', { maximumSignificantDigits: 3 })}${sign}`;
}

/** The sign of a group: each has a shape of its own, so that colour is never needed. */
export function mark(group: PolicyGroup, x: number, y: number): Html {
  const kind = `mark ${group}`;
  if (group === 'recipe') {
    return html`<rect class="${kind}" x="${at(x - 5)}" y="${at(y - 5)}" width="10" height="10" rx="1"/>`;
  }
  const corners = {
    bound: [
      [0, -7],
      [7, 0],
      [0, 7],
      [-7, 0],
    ],
    rival: [
      [0, -6.5],
      [6, 5],
      [-6, 5],
    ],
  };
  if (group === 'bound' || group === 'rival') {
    const points = corners[group].map(([dx = 0, dy = 0]) => `${at(x + dx)},${at(y + dy)}`);
    return html`<polygon class="${kind}" points="${points.join(' ')}"/>`;
  }
  return html`<circle class="${kind}" cx="${at(x)}" cy="${at(y)}" r="5.5"/>`;
}

interface Scales {
  readonly x: ChartScale;
  readonly y: ChartScale;
}

function scalesOf(rows: readonly ReplayRow[], share: (row: ReplayRow) => number): Scales {
  const costs = rows.map(({ ute }) => ute);
  const shares = rows.map(share);
  const [low, high] = [Math.min(...costs), Math.max(...costs)];
  const pad = 0.06 * (high - low || high);
  const least = Math.max(0, Math.min(...shares) - 4);
  return {
    x: chartScale({
      least: Math.max(0, low - pad),
      most: high + pad,
      from: room.left,
      to: room.right,
      marks: 6,
    }),
    y: chartScale({ least, most: 100, from: room.bottom, to: room.top + 10, marks: 6 }),
  };
}

function axes({ x, y }: Scales): Html {
  const columns = x.ticks.map(
    (value) =>
      html`<line class="grid" x1="${at(x.place(value))}" x2="${at(x.place(value))}" y1="${room.top}" y2="${room.bottom}"/><text class="tick" x="${at(x.place(value))}" y="${room.bottom + 17}" text-anchor="middle">${shortNumber(value)}</text>`,
  );
  const lines = y.ticks.map(
    (value) =>
      html`<line class="grid" x1="${room.left}" x2="${room.right}" y1="${at(y.place(value))}" y2="${at(y.place(value))}"/><text class="tick" x="${room.left - 7}" y="${at(y.place(value) + 4)}" text-anchor="end">${value} %</text>`,
  );
  return html`<g aria-hidden="true">${columns}${lines}<text class="axis" x="${(room.left + room.right) / 2}" y="${size.height - 6}" text-anchor="middle">cost, UTE (cheaper to the left)</text></g>`;
}

/** The line through the points of a group, cheapest first. */
function lineThrough(points: readonly Point[], group: PolicyGroup): Html | string {
  const own = points.filter((point) => point.group === group).sort((a, b) => a.x - b.x);
  if (own.length < 2) return '';
  const path = own.map(({ x, y }) => `${at(x)},${at(y)}`).join(' ');
  return html`<polyline class="path ${group}" points="${path}"/>`;
}

/** What costs less than the bound cannot be had by choosing other times. */
function boundLine(points: readonly Point[]): Html | string {
  const bound = points.find(({ group }) => group === 'bound');
  if (bound === undefined) return '';
  return html`<line class="path bound" x1="${at(bound.x)}" x2="${at(bound.x)}" y1="${room.top}" y2="${room.bottom}"/>`;
}

/** The chart as one sentence for those who cannot see it. */
function spoken(
  points: readonly Point[],
  { title }: FrontMeasure,
  share: (row: ReplayRow) => number,
) {
  const each = points.map(
    ({ row }) => `${row.policy} ${shortNumber(row.ute)} UTE, ${share(row).toFixed(1)} %`,
  );
  return `${title} against cost. ${each.join('; ')}.`;
}

/** Farther off than this, a text gets a line to its point. */
const near = 15;

function nameOf({ row, group, x, y }: Point, label: PlacedLabel | undefined): Html | string {
  if (label === undefined) return '';
  const isFar = Math.abs(label.y - 4 - y) > near;
  const lead = isFar
    ? html`<line class="lead-line" x1="${at(x)}" y1="${at(y)}" x2="${at(label.x)}" y2="${at(label.y - 4)}"/>`
    : '';
  return html`${lead}<text class="name ${group}" x="${at(label.x)}" y="${at(label.y)}" text-anchor="${label.anchor}">${row.policy}</text>`;
}

const drawn: readonly PolicyGroup[] = ['ctx', 'bound', 'recipe', 'rival', 'none'];

/** Draws the shares of a measure against cost, one point a policy. A policy for which nothing was judged is left out. */
export function frontChart(rows: readonly ReplayRow[], measure: FrontMeasure): Html | string {
  const share = (row: ReplayRow): number => (100 * measure.part(row)) / measure.whole(row);
  const judged = rows.filter((row) => measure.whole(row) > 0);
  if (judged.length === 0) return '';
  const scales = scalesOf(judged, share);
  const points = judged
    .map((row) => ({
      row,
      group: groupOf(row.policy),
      x: scales.x.place(row.ute),
      y: scales.y.place(share(row)),
    }))
    .sort((a, b) => drawn.indexOf(a.group) - drawn.indexOf(b.group));
  const labels = placeLabels(
    points.map(({ x, y, row }) => ({ x, y, text: row.policy })),
    room,
  );
  const marks = points.map((point, index) => {
    const told = `${point.row.policy}: ${shortNumber(point.row.ute)} UTE, ${share(point.row).toFixed(1)} % in view`;
    const sign = mark(point.group, point.x, point.y);
    return html`<g>${sign}${nameOf(point, labels[index])}<title>${told}</title></g>`;
  });
  return html`<figure><figcaption><strong>${measure.title}</strong> ${measure.meaning}</figcaption><svg viewBox="0 0 ${size.width} ${size.height}" role="img" aria-label="${spoken(points, measure, share)}">${axes(scales)}${boundLine(points)}${lineThrough(points, 'recipe')}${lineThrough(points, 'ctx')}${marks}</svg></figure>`;
}
