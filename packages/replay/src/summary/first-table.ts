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
  /** Whether the column stays if it is equal in every row. */
  readonly isKept?: true;
  /** The share that it measures, for the sentences. */
  readonly meaning?: { readonly of: string; readonly which: string };
  readonly cell: (row: ReplayRow, all: ReplayRow | undefined) => string;
}

const measures: readonly Measure[] = [
  { title: 'cost', isKept: true, cell: ({ dollars }) => `$${dollars.toFixed(2)}` },
  {
    title: 'of sending all',
    isKept: true,
    cell: ({ dollars }, all) => (all === undefined ? '–' : percentText(dollars, all.dollars)),
  },
  {
    title: 'evidence in view',
    meaning: { of: 'edits', which: 'had the text that they change in the request' },
    cell: (row) => percentText(row.editsInView, row.edits),
  },
  {
    title: 'recoverable',
    meaning: { of: 'tool outputs', which: 'can be read back byte for byte' },
    cell: (row) => percentText(row.outputsRecoverable, row.outputs),
  },
  { title: 'over window', cell: ({ overWindow }) => countText(overWindow) },
];

const named = (rows: readonly ReplayRow[], name: string): ReplayRow | undefined =>
  rows.find(({ policy }) => policy === name);

/** A measure with its cell in each row. */
interface MeasuredColumn {
  readonly measure: Measure;
  readonly cells: readonly string[];
  /** Whether its column would only repeat one value. What policies cost always stays: that they cost the same is an answer. */
  readonly isEqual: boolean;
}

function columnsOf(rows: readonly ReplayRow[]): MeasuredColumn[] {
  const all = named(rows, 'none');
  return measures.map((measure) => {
    const cells = rows.map((row) => measure.cell(row, all));
    const isEqual = measure.isKept !== true && rows.length > 1 && new Set(cells).size === 1;
    return { measure, cells, isEqual };
  });
}

/** The first table, without the columns that are equal in every row. `isShort` leaves policies their bare names. */
export function firstTable(rows: readonly ReplayRow[], isShort: boolean): MeasureTable {
  const columns = columnsOf(rows).filter(({ isEqual }) => !isEqual);
  const cells = rows.map(({ policy }, at) => [
    isShort ? policy : (inShort.get(policy) ?? policy),
    ...columns.map((column) => column.cells[at] ?? ''),
  ]);
  return { titles: ['policy', ...columns.map(({ measure }) => measure.title)], cells };
}

/** Names the columns that are left out, with the value that every policy has there. */
function ofEqual(rows: readonly ReplayRow[]): string[] {
  const left = columnsOf(rows).flatMap(({ measure: { title, meaning }, cells, isEqual }) => {
    const [cell = '–'] = cells;
    if (!isEqual || meaning === undefined) return [];
    return [
      `${title} (${meaning.of} that ${meaning.which}) ${cell === '–' ? 'has nothing to measure' : `is ${cell}`}`,
    ];
  });
  return left.length === 0
    ? []
    : [`Equal for all policies, so not in the table: ${left.join('; ')}.`];
}

function ofCtx(ctx: ReplayRow, all: ReplayRow, rows: readonly ReplayRow[]): string {
  const parts = [`ctx costs ${percentText(ctx.dollars, all.dollars)} of sending everything`];
  for (const { measure, isEqual } of columnsOf(rows)) {
    const cell = measure.cell(ctx, all);
    const { title, meaning } = measure;
    if (meaning === undefined || isEqual || cell === '–') continue;
    parts.push(`${cell} of the ${meaning.of} ${meaning.which} (${title})`);
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
    ...ofEqual(rows),
  ];
}
