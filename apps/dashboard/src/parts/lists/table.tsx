import type { ReactNode } from 'react';

/** Heading of a column, and how its cells are set: `number`, `wide` (not on a phone), or both. */
export type Column = readonly [name: string, kind?: string];

interface TableProps {
  readonly columns: readonly Column[];
  readonly caption?: string;
  readonly children: ReactNode;
}

/** A table with its headings. */
export function Table({ columns, caption, children }: TableProps): ReactNode {
  return (
    <table>
      {caption === undefined ? null : <caption>{caption}</caption>}
      <thead>
        <tr>
          {columns.map(([name, kind]) => (
            <th key={name} scope="col" className={kind}>
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>{children}</tbody>
    </table>
  );
}

/** A table on a sheet of its own, which scrolls sideways where there is no room. */
export function Sheet({ label, ...table }: TableProps & { readonly label: string }): ReactNode {
  return (
    <div className="sheet" tabIndex={0} role="region" aria-label={label}>
      <Table {...table} />
    </div>
  );
}
