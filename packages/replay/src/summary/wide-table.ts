import { countText, percentText } from '@ctx/core/encoding';
import type { ReplayRow } from './replay-summary.ts';

/** A table of measures: a row for each policy, whose first cell is its name. */
export interface MeasureTable {
  readonly titles: readonly string[];
  readonly cells: readonly (readonly string[])[];
}

const titles: readonly string[] = [
  'policy',
  'requests',
  'input tokens',
  'peak',
  'input UTE',
  'UTE',
  'cost',
  'cached',
  'breaks',
  'over window',
  'invalid',
  'evidence in view',
  'recoverable',
  're-reads in view',
  'names in view',
  'outputs recoverable',
  'kept out',
  'by dedupe',
  'by leaving',
];

/** What requests did not carry, as shares of all that they would have carried. */
function savedTexts(row: ReplayRow): string[] {
  const { inputTokens, savedAtInsertion, savedByDedupe, savedByLeaving } = row;
  const parts = [savedAtInsertion, savedByDedupe, savedByLeaving];
  const all = parts.reduce((sum, part) => sum + part, inputTokens);
  return parts.map((part) => percentText(part, all));
}

function cellsOf(row: ReplayRow): string[] {
  return [
    row.policy,
    countText(row.requests),
    countText(row.inputTokens),
    countText(row.peakTokens),
    countText(row.inputUte),
    countText(row.ute),
    `$${row.dollars.toFixed(2)}`,
    percentText(row.cachedTokens, row.inputTokens),
    countText(row.prefixBreaks),
    countText(row.overWindow),
    countText(row.invalid),
    percentText(row.editsInView, row.edits),
    percentText(row.editsRecoverable, row.edits),
    percentText(row.rereadTokensInView, row.rereadTokens),
    percentText(row.namesInView, row.namesUsed),
    percentText(row.outputsRecoverable, row.outputs),
    ...savedTexts(row),
  ];
}

/** How to read the table with every measure: what each title means. */
export const readingAid: readonly (readonly [name: string, text: string])[] = [
  [
    'policy',
    "none sends everything; classic drops half of the messages at the limit; offload puts a preview and a pointer in place of large results and keeps the whole in the store; ctx is the window manager in one of its modes, recipe the AI SDK's pruneMessages",
  ],
  [
    'input UTE, UTE',
    'tokens in units of an uncached one, cached ones cost less: of the input alone, by which policies compare, and with what models wrote',
  ],
  ['cost', 'UTE at a list price'],
  ['cached', "share of the input that the provider's prompt cache answers"],
  ['breaks', 'requests in which tokens were paid again because something before them changed'],
  [
    'over window',
    'requests larger than the window: a provider refuses them, as it does the invalid ones',
  ],
  [
    'evidence',
    'edits whose old text a tool had shown before: is every line of it still in the request, or readable from a pointer in it?',
  ],
  [
    're-reads',
    'of what files showed again when they were read again: how much of it still stood in the request?',
  ],
  [
    'names',
    'identifiers that an answer took over from tool results alone: did they still stand in the request?',
  ],
  [
    'outputs',
    'tool results that come back byte for byte from the last request or from a pointer in it',
  ],
  [
    'kept out, by …',
    'tokens that requests did not carry: kept out as previews and the like when they came in, by dedupe because they stood in the view already, by leaving later',
  ],
];

/** Every measure of every policy. */
export function wideTable(rows: readonly ReplayRow[]): MeasureTable {
  return { titles, cells: rows.map(cellsOf) };
}
