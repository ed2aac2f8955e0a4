import type { CommandContext } from '../command-context.ts';
import type { ReplayRow, ReplaySummary } from '@ctx/replay';
import { bytesText, countedText, countText, percentText } from '../terminal/render.ts';
import { renderTable, type TableColumn } from '../terminal/render-table.ts';
import { firstTable, firstWords } from './first-table.ts';
import { explainedNames, wordsInLines } from '../terminal/wrap-words.ts';

const right = (title: string): TableColumn => ({ title, align: 'right' });

const columns: readonly TableColumn[] = [
  { title: 'policy' },
  right('requests'),
  right('input tokens'),
  right('peak'),
  right('input UTE'),
  right('UTE'),
  right('cost'),
  right('cached'),
  right('breaks'),
  right('over window'),
  right('invalid'),
  right('evidence in view'),
  right('recoverable'),
  right('re-reads in view'),
  right('names in view'),
  right('outputs recoverable'),
];

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
  ];
}

/** How to read the table, for whoever sees it for the first time. */
const readingAid: readonly (readonly [name: string, text: string])[] = [
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
];

/** Longest line of it in a pipe, and on a wide terminal. */
const aidWidth = 119;

/** Narrower terminals get a column for each policy instead of a row. */
const wideEnough = 150;

/** The table with every measure. */
function wideTable(context: CommandContext, totals: readonly ReplayRow[]): string {
  const { isTty, columns: width } = context.host.out;
  const rows = totals.map(cellsOf);
  if (!isTty || width >= wideEnough) return renderTable(context, columns, rows);
  return turnedTable(context, columns, rows);
}

/** The first table is never wider. */
const firstWidth = 100;

function narrowTable(context: CommandContext, totals: readonly ReplayRow[]): string {
  const { isTty, columns: width } = context.host.out;
  const isTurned = isTty && width < firstWidth;
  const [measures, rows] = firstTable(totals, isTurned);
  return isTurned ? turnedTable(context, measures, rows) : renderTable(context, measures, rows);
}

function turnedTable(
  context: CommandContext,
  measures: readonly TableColumn[],
  rows: readonly Cells[],
): string {
  return policiesThatFit(measures, rows, context.host.out.columns)
    .map((part) => renderTable(context, ...turned(measures, part)))
    .join('\n');
}

type Cells = readonly string[];

/** A column for each policy, a row for each measure. */
function turned(
  measures: readonly TableColumn[],
  rows: readonly Cells[],
): [TableColumn[], Cells[]] {
  const lines = measures.map(({ title }, index) => [title, ...rows.map((row) => row[index] ?? '')]);
  const [[policy = '', ...policies] = [], ...figures] = lines;
  return [[{ title: policy }, ...policies.map(right)], figures];
}

/** Runs of policies whose columns stand next to each other in so many characters; one policy at least. */
function policiesThatFit(
  measures: readonly TableColumn[],
  rows: readonly Cells[],
  width: number,
): Cells[][] {
  const titleWidth = Math.max(...measures.map(({ title }) => title.length));
  const runs: Cells[][] = [];
  let room = 0;
  for (const row of rows) {
    const needed = 2 + Math.max(...row.map((cell) => cell.length));
    const run = runs.at(-1);
    if (run !== undefined && needed <= room) run.push(row);
    else {
      runs.push([row]);
      room = width - titleWidth;
    }
    room -= needed;
  }
  return runs;
}

/** The table for people: what a newcomer asks, or every measure. */
export function replayText(
  context: CommandContext,
  answer: ReplaySummary,
  isWide: boolean,
): string {
  const { sessions, totals } = answer;
  const outputs = sessions.reduce((sum, { saved }) => sum + saved.outputs, 0);
  const bytes = sessions.reduce((sum, { saved }) => sum + saved.bytes, 0);
  const offloaded = sessions.reduce((sum, { saved }) => sum + saved.offloaded, 0);
  const head = `${countedText(sessions.length, 'session')}, window ${countText(answer.windowTokens)} tokens, prices ${answer.price} of ${answer.pricesDate}; ${countText(outputs)} tool outputs (${bytesText(bytes)}) stored, ${countText(offloaded)} large enough to offload`;
  const { isTty, columns: width } = context.host.out;
  const room = isTty ? Math.min(width, aidWidth) : aidWidth;
  const firstRoom = Math.min(room, firstWidth);
  const wideRoom = isTty ? width : head.length;
  const headWidth = isWide ? wideRoom : firstRoom;
  const shown = isWide
    ? [wideTable(context, totals), 'How to read this', ...explainedNames(readingAid, room)]
    : [narrowTable(context, totals), ...firstWords(context, totals, firstRoom)];
  const lines = [...wordsInLines(head, headWidth), '', ...shown];
  return `${lines.join('\n')}\n`;
}
