import { countedText, countText, percentText } from '@ctx/core/encoding';
import type { ReplayRow } from './replay-summary.ts';
import type { MeasureTable } from './wide-table.ts';

/** What these do, in few words. */
const inShort: ReadonlyMap<string, string> = new Map([
  ['none', 'none: send everything'],
  ['classic', 'classic: drop the oldest half'],
  ['recipe', 'recipe: drop old tool calls'],
  ['offload', 'offload: preview large results'],
  ['ctx', 'ctx: the window manager'],
]);

/** A measure of the first table. */
interface Measure {
  readonly title: string;
  readonly cell: (row: ReplayRow, all: ReplayRow | undefined) => string;
}

const measures: readonly Measure[] = [
  { title: 'cost', cell: ({ dollars }) => `$${dollars.toFixed(2)}` },
  {
    title: 'of sending all',
    cell: ({ dollars }, all) => (all === undefined ? '–' : percentText(dollars, all.dollars)),
  },
  { title: 'evidence in view', cell: (row) => percentText(row.editsInView, row.edits) },
  { title: 'recoverable', cell: (row) => percentText(row.outputsRecoverable, row.outputs) },
  { title: 'over window', cell: ({ overWindow }) => countText(overWindow) },
];

const named = (rows: readonly ReplayRow[], name: string): ReplayRow | undefined =>
  rows.find(({ policy }) => policy === name);

/** The first table. `isShort` leaves policies their bare names. */
export function firstTable(rows: readonly ReplayRow[], isShort: boolean): MeasureTable {
  const all = named(rows, 'none');
  const cells = rows.map((row) => [
    isShort ? row.policy : (inShort.get(row.policy) ?? row.policy),
    ...measures.map(({ cell }) => cell(row, all)),
  ]);
  return { titles: ['policy', ...measures.map(({ title }) => title)], cells };
}

/** Whether edits had as much evidence under each of several policies. */
function isEvidenceEqual(rows: readonly ReplayRow[]): boolean {
  return rows.length > 1 && new Set(rows.map(({ editsInView }) => editsInView)).size === 1;
}

function ofCtx(ctx: ReplayRow, all: ReplayRow, rows: readonly ReplayRow[]): string {
  const parts = [`ctx costs ${percentText(ctx.dollars, all.dollars)} of sending everything`];
  if (ctx.outputs > 0) {
    const share = percentText(ctx.outputsRecoverable, ctx.outputs);
    parts.push(`${share} of the tool outputs can be read back byte for byte (recoverable)`);
  }
  if (ctx.edits > 0) {
    const same = isEvidenceEqual(rows) ? ', here the same for all' : '';
    const share = percentText(ctx.editsInView, ctx.edits);
    parts.push(
      `${share} of the edits had the text that they change in the request (evidence in view${same})`,
    );
  }
  return `${parts.join('; ')}.`;
}

/** Why one that sends less may cost more. */
function ofClassic(classic: ReplayRow, all: ReplayRow): string {
  if (classic.inputTokens < all.inputTokens && classic.dollars > all.dollars) {
    return "classic sends less than none but costs more: each drop changes the start of the request, so the provider's cache misses and the rest is billed in full.";
  }
  return `classic costs ${percentText(classic.dollars, all.dollars)} of it: whatever changes the beginning of a request has the rest paid in full, without the provider's cache.`;
}

function ofWindow(rows: readonly ReplayRow[]): string {
  const over = rows.filter(({ overWindow }) => overWindow > 0);
  if (over.length === 0) return 'No policy made a request that is larger than the window.';
  const found = over.map(
    ({ policy, overWindow }) => `${policy} made ${countedText(overWindow, 'request')}`,
  );
  return `A provider refuses what is larger than the window: ${found.join(', ')} over it.`;
}

/** Says in a few sentences what the figures of the first table mean. */
export function firstSentences(rows: readonly ReplayRow[]): string[] {
  const all = named(rows, 'none');
  const ctx = named(rows, 'ctx');
  const classic = named(rows, 'classic');
  return [
    ...(all && ctx ? [ofCtx(ctx, all, rows)] : []),
    ...(all && classic ? [ofClassic(classic, all)] : []),
    ofWindow(rows),
  ];
}
