import Table from 'cli-table3';
import colors from 'picocolors';
import type { CommandContext } from './command-context.ts';
import { oneLine, visibleText } from './visible-text.ts';

/** A column of a table. */
export interface TableColumn {
  readonly title: string;
  readonly align?: 'left' | 'right';
  /** Gets what width is left on a terminal; at most one column. */
  readonly isFlexible?: boolean;
}

const noLines = {
  top: '',
  'top-mid': '',
  'top-left': '',
  'top-right': '',
  bottom: '',
  'bottom-mid': '',
  'bottom-left': '',
  'bottom-right': '',
  left: '',
  'left-mid': '',
  mid: '',
  'mid-mid': '',
  right: '',
  'right-mid': '',
  middle: '  ',
};

/** Narrowest a flexible column gets, characters. */
const minFlexible = 20;

/** Widest a flexible column gets in a pipe, characters; whoever needs all of it asks for JSON. */
const pipeRoom = 160;

function flexibleRoom(
  columns: readonly TableColumn[],
  rows: readonly (readonly string[])[],
  width: number,
): number {
  const fixed = columns.reduce((sum, { title, isFlexible }, index) => {
    if (isFlexible === true) return sum;
    const widest = rows.reduce((most, row) => Math.max(most, row[index]?.length ?? 0), 0);
    return sum + Math.max(title.length, widest);
  }, 0);
  return Math.max(minFlexible, width - fixed - 2 * (columns.length - 1) - 1);
}

/** A table without lines, one row a line. Cells are stored text: hidden signs are made visible on a terminal. */
export function renderTable(
  { host, hasColor }: CommandContext,
  columns: readonly TableColumn[],
  rows: readonly (readonly string[])[],
): string {
  const { isTty } = host.out;
  const room = isTty ? flexibleRoom(columns, rows, host.out.columns) : pipeRoom;
  const { bold } = colors.createColors(hasColor);
  const table = new Table({
    head: columns.map(({ title }) => bold(title)),
    chars: noLines,
    style: { 'padding-left': 0, 'padding-right': 0, head: [], border: [], compact: true },
    colAligns: columns.map(({ align }) => align ?? 'left'),
  });
  for (const row of rows) {
    const cells = columns.map(({ isFlexible }, index) =>
      oneLine(row[index] ?? '', isFlexible === true ? room : Number.POSITIVE_INFINITY),
    );
    table.push(isTty ? cells.map(visibleText) : cells);
  }
  const lines = table.toString().split('\n');
  return `${lines.map((line) => line.trimEnd()).join('\n')}\n`;
}
