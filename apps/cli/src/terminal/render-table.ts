import Table from 'cli-table3';
import colors from 'picocolors';
import type { Screen } from '../cli-host.ts';
import { renderStacked } from './render-stacked.ts';
import type { TableColumn, TableEntry } from './table-column.ts';
import { oneLine, visibleText } from './visible-text.ts';

export type { TableColumn, TableEntry };

const sides = ['top', 'bottom', 'left', 'mid', 'right'];
const joints = ['top-mid', 'top-left', 'top-right', 'bottom-mid', 'bottom-left', 'bottom-right'];
const crossings = ['left-mid', 'mid-mid', 'right-mid'];
const noLines: Record<string, string> = Object.fromEntries(
  [...sides, ...joints, ...crossings].map((name) => [name, '']),
);

/** A list whose flexible column would get less than this stands in several lines a row. Characters. */
const minFlexible = 20;

/** Widest a flexible column gets in a pipe, characters; whoever needs all of it asks for JSON. */
const pipeRoom = 160;

function widest(title: string, index: number, entries: readonly TableEntry[]): number {
  return entries.reduce(
    (most, { cells }) => Math.max(most, cells[index]?.length ?? 0),
    title.length,
  );
}

/** Width that is left for the flexible column; below 0 where not even the others fit. */
function flexibleRoom(
  columns: readonly TableColumn[],
  entries: readonly TableEntry[],
  width: number,
): number {
  const fixed = columns.reduce(
    (sum, { title, isFlexible }, index) =>
      isFlexible === true ? sum : sum + widest(title, index, entries),
    0,
  );
  return width - fixed - 2 * (columns.length - 1) - 1;
}

/** Whether cells of a list must stand under each other: what is copied is not cut, and what is read needs room. */
function isTooNarrow(columns: readonly TableColumn[], room: number): boolean {
  if (columns.some(({ isFlexible }) => isFlexible === true)) return room < minFlexible;
  return room < 0 && columns.some(({ isWhole }) => isWhole === true);
}

/** A table without lines, one row a line. Cells are stored text: hidden signs are made visible on a terminal. */
export function renderTable(
  context: Screen,
  columns: readonly TableColumn[],
  rows: readonly (readonly string[])[],
): string {
  return renderList(
    context,
    columns,
    rows.map((cells) => ({ cells })),
  );
}

/** The same with lines above and under the rows. On a terminal too narrow for it the cells of a row take several lines. */
export function renderList(
  { host, hasColor }: Screen,
  columns: readonly TableColumn[],
  entries: readonly TableEntry[],
): string {
  const { isTty } = host.out;
  const room = isTty ? flexibleRoom(columns, entries, host.out.columns) : pipeRoom;
  const { bold } = colors.createColors(hasColor);
  if (isTty && isTooNarrow(columns, room)) {
    return renderStacked({ columns, entries, width: host.out.columns, bold });
  }
  const table = new Table({
    head: columns.map(({ title }) => bold(title)),
    chars: { ...noLines, middle: '  ' },
    style: { 'padding-left': 0, 'padding-right': 0, head: [], border: [], compact: true },
    colAligns: columns.map(({ align }) => align ?? 'left'),
  });
  for (const { cells: row } of entries) {
    const cells = columns.map(({ isFlexible }, index) =>
      oneLine(row[index] ?? '', isFlexible === true ? room : Number.POSITIVE_INFINITY),
    );
    table.push(isTty ? cells.map(visibleText) : cells);
  }
  const [head = '', ...lines] = table.toString().split('\n');
  const rows = lines.flatMap((line, index) => {
    const { above, below } = entries[index] ?? {};
    return [above ?? [], line.trimEnd(), below ?? []].flat();
  });
  return `${[head.trimEnd(), ...rows].join('\n')}\n`;
}
