import type { ReactNode } from 'react';
import type { Column } from './table.tsx';
import { VirtualRows, type VirtualRowsProps } from './virtual-rows.tsx';

interface LiveListProps<Row> extends VirtualRowsProps<Row> {
  readonly columns: readonly Column[];
  /** The class that sets the columns of a row and of the headings. */
  readonly rowClass: string;
}

/** A list with headings that may grow while it is looked at: it keeps its height, so that what is below stays. */
export function LiveList<Row>({ columns, rowClass, ...rows }: LiveListProps<Row>): ReactNode {
  return (
    <div className="virtual-list">
      <div className={`list-head ${rowClass}`}>
        {columns.map(([name, kind]) => (
          <span key={name} className={kind}>
            {name}
          </span>
        ))}
      </div>
      <VirtualRows {...rows} />
    </div>
  );
}
