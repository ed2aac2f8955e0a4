import type { TableColumn, TableEntry } from './table-column.ts';
import { oneLine, visibleText } from './visible-text.ts';

export interface StackedTable {
  readonly columns: readonly TableColumn[];
  readonly entries: readonly TableEntry[];
  /** Characters of a line of the terminal. */
  readonly width: number;
  readonly bold: (text: string) => string;
}

/** Before the second and later lines of a row. */
const indent = '  ';

/** Puts cells next to each other as far as they fit, the next ones into a line below. */
function packed(cells: readonly string[], width: number): string[] {
  const lines: string[] = [];
  for (const cell of cells) {
    const last = lines.at(-1);
    if (last === undefined) lines.push(cell);
    else if (last.length + 2 + cell.length <= width) lines.splice(-1, 1, `${last}  ${cell}`);
    else lines.push(indent + cell);
  }
  return lines;
}

/**
 * A table for a terminal that is too narrow for it: the cells of a row take several lines, all but the first indented.
 * No line is longer than the terminal but for what may not be cut, such as a pointer.
 */
export function renderStacked({ columns, entries, width, bold }: StackedTable): string {
  const titles = packed(
    columns.map(({ title }) => title),
    width,
  );
  const rows = entries.flatMap(({ cells, above, below }) => {
    const shown = columns.flatMap(({ isWhole }, index) => {
      const cell = cells[index] ?? '';
      const room = isWhole === true ? Number.POSITIVE_INFINITY : width - indent.length;
      return cell === '' ? [] : [visibleText(oneLine(cell, room))];
    });
    return [above ?? [], packed(shown, width), below ?? []].flat();
  });
  return `${[...titles.map(bold), ...rows].join('\n')}\n`;
}
