import { countText, percentText } from '@ctx/core/encoding';
import type { usedParts } from '@ctx/replay';
import colors from 'picocolors';
import type { CommandContext } from '../command-context.ts';
import type { StatusContext } from '../schemas/window.ts';

type RowName = (typeof usedParts)[number] | 'free' | 'reserve';

interface Row {
  readonly name: RowName;
  readonly tokens: number;
}

/** Widest bar, characters: more tells no more. */
const maxBar = 100;

/** A row's own bar is drawn where it gets at least this much. Characters. */
const minRowBar = 8;

const maxRowBar = 40;

const colorOf: Readonly<Record<RowName, keyof ReturnType<typeof colors.createColors>>> = {
  system: 'magenta',
  tools: 'magenta',
  fixed: 'magenta',
  summary: 'white',
  user: 'green',
  assistant: 'cyan',
  calls: 'blue',
  results: 'yellow',
  other: 'red',
  free: 'dim',
  reserve: 'dim',
};

function signOf(name: RowName): string {
  if (name === 'free') return '░';
  return name === 'reserve' ? '▒' : '█';
}

/** Cells of a bar, so that they come to its width: where each part ends is rounded, not how long it is. */
function cellsOf(rows: readonly Row[], width: number): number[] {
  const total = rows.reduce((sum, { tokens }) => sum + tokens, 0);
  let [passed, drawn] = [0, 0];
  return rows.map(({ tokens }) => {
    passed += tokens;
    const end = total === 0 ? 0 : Math.round((passed * width) / total);
    const cells = end - drawn;
    drawn = end;
    return cells;
  });
}

function rowsOf({ parts, freeTokens, reserveTokens }: StatusContext): Row[] {
  const ends: Row[] = [
    { name: 'free', tokens: freeTokens },
    { name: 'reserve', tokens: reserveTokens },
  ];
  return [...parts.map(({ part, tokens }): Row => ({ name: part, tokens })), ...ends];
}

type Paint = (name: RowName, text: string) => string;

function paintOf(hasColor: boolean): Paint {
  const palette = colors.createColors(hasColor);
  return (name, text) => {
    const paint = palette[colorOf[name]];
    return typeof paint === 'function' ? paint(text) : text;
  };
}

function tableLines(rows: readonly Row[], context: StatusContext, room: number): string[] {
  const { windowTokens } = context;
  const counts = rows.map(({ tokens }) => countText(tokens));
  const shares = rows.map(({ tokens }) => percentText(tokens, windowTokens));
  const widest = (texts: readonly string[]): number =>
    Math.max(...texts.map(({ length }) => length));
  const names = widest(rows.map(({ name }) => name));
  return rows.map(({ name, tokens }, index) => {
    const count = (counts[index] ?? '').padStart(widest(counts));
    const share = (shares[index] ?? '').padStart(widest(shares));
    const text = `  ${name.padEnd(names)}  ${count}  ${share}`;
    const left = Math.min(maxRowBar, room - text.length - 2);
    if (left < minRowBar) return text;
    const cells = Math.min(left, Math.round((tokens * left) / Math.max(1, windowTokens)));
    return cells === 0 ? text : `${text}  ${signOf(name).repeat(cells)}`;
  });
}

/** Where the bar at the end of a line begins; its length where it has none. */
function barStart(line: string): number {
  let start = line.length;
  while (start > 0 && '█░▒'.includes(line.charAt(start - 1))) start -= 1;
  return start;
}

function headLines({ source, tokens, windowTokens, isAssumed }: StatusContext): string[] {
  const whose =
    source === 'window' ? 'the window as it stands' : 'the context at the end of the session';
  const size = `${countText(windowTokens)}${isAssumed ? ' (assumed)' : ''}`;
  return [whose, `${countText(tokens)} of ${size} tokens (${percentText(tokens, windowTokens)})`];
}

/**
 * Where the tokens go, as a bar over the whole window and a line for each part. No line is wider than the terminal from 36
 * columns on, and without colours there is no escape sequence.
 */
export function contextText({ host, hasColor }: CommandContext, context: StatusContext): string {
  const room = Math.max(36, host.out.columns - 1);
  const rows = rowsOf(context);
  const paint = paintOf(hasColor);
  const cells = cellsOf(rows, Math.min(maxBar, room));
  const bar = rows.map(({ name }, index) =>
    paint(name, signOf(name).repeat(Math.max(0, cells[index] ?? 0))),
  );
  const table = tableLines(rows, context, room).map((line, index) => {
    const name = rows[index]?.name ?? 'free';
    const start = barStart(line);
    return start === line.length ? line : line.slice(0, start) + paint(name, line.slice(start));
  });
  return `${[...headLines(context), bar.join(''), ...table].join('\n')}\n`;
}
