import { bytesText, countedText, countText } from '@ctx/core/encoding';
import { type pages, replayTables } from '@ctx/replay';
import type { CommandContext } from '../command-context.ts';
import { followUp } from '../follow-up.ts';
import { renderTable, type TableColumn } from '../terminal/render-table.ts';
import { explainedNames, wordsInLines } from '../terminal/wrap-words.ts';

type Tables = ReturnType<typeof replayTables>;

const right = (title: string): TableColumn => ({ title, align: 'right' });

/** Longest line of it in a pipe, and on a wide terminal. */
const aidWidth = 119;

/** Narrower terminals get a column for each policy instead of a row. */
const wideEnough = 150;

function columnsOf({ titles: [first = '', ...others] }: Tables['wide']): TableColumn[] {
  return [{ title: first }, ...others.map(right)];
}

function wideText(context: CommandContext, { wide: table }: Tables): string {
  const { isTty, columns: width } = context.host.out;
  if (!isTty || width >= wideEnough) return renderTable(context, columnsOf(table), table.cells);
  return turnedTable(context, columnsOf(table), table.cells);
}

/** The first table is never wider. */
const firstWidth = 100;

function narrowTable(context: CommandContext, { first }: Tables): string {
  const { isTty, columns: width } = context.host.out;
  const isTurned = isTty && width < firstWidth;
  const table = first(isTurned);
  return (isTurned ? turnedTable : renderTable)(context, columnsOf(table), table.cells);
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

/** What the figures say, and what can be done next. */
function firstWords({ host }: CommandContext, { sentences }: Tables, width: number): string[] {
  const commands = [
    [followUp(host, ['replay', '--demo', '--wide']), 'every measure, explained'],
    [`${followUp(host, ['replay'])} ~/.claude/projects`, 'the same for sessions of your own'],
    [followUp(host, ['run', 'claude']), 'put ctx between an agent and its model'],
  ] as const;
  const longest = Math.max(...commands.map(([command]) => command.length));
  const next = commands.flatMap(([command, what]) => {
    const line = `  ${command.padEnd(longest)}  ${what}`;
    return line.length <= width ? [line] : [`  ${command}`];
  });
  return [...sentences.flatMap((text) => wordsInLines(text, width)), '', 'Next:', ...next];
}

/** The table for people: what a newcomer asks, or every measure. */
export function replayText(
  context: CommandContext,
  answer: Parameters<typeof pages.report>[0],
  isWide: boolean,
): string {
  const { sessions } = answer;
  const tables = replayTables(answer.totals);
  const outputs = sessions.reduce((sum, { saved }) => sum + saved.outputs, 0);
  const bytes = sessions.reduce((sum, { saved }) => sum + saved.bytes, 0);
  const offloaded = sessions.reduce((sum, { saved }) => sum + saved.offloaded, 0);
  const asides = sessions.filter(({ asideOf }) => asideOf !== undefined).length;
  const ofThem = asides === 0 ? '' : ` (${countText(asides)} of sub-agents)`;
  const head = `${countedText(sessions.length, 'session')}${ofThem}, window ${countText(answer.windowTokens)} tokens, prices ${answer.price} of ${answer.pricesDate}; ${countText(outputs)} tool outputs (${bytesText(bytes)}) stored, ${countText(offloaded)} large enough to offload`;
  const { isTty, columns: width } = context.host.out;
  const room = isTty ? Math.min(width, aidWidth) : aidWidth;
  const firstRoom = Math.min(room, firstWidth);
  const wideRoom = isTty ? width : head.length;
  const headWidth = isWide ? wideRoom : firstRoom;
  const shown = isWide
    ? [wideText(context, tables), 'How to read this', ...explainedNames(tables.readingAid, room)]
    : [narrowTable(context, tables), ...firstWords(context, tables, firstRoom)];
  const lines = [...wordsInLines(head, headWidth), '', ...shown];
  return `${lines.join('\n')}\n`;
}
