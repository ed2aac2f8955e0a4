import { useVirtualizer } from '@tanstack/react-virtual';
import { type ReactNode, useEffect, useRef } from 'react';

export interface VirtualRowsProps<Row> {
  readonly rows: readonly Row[];
  readonly label: string;
  /** What a row is known by when others come before it. */
  readonly keyOf: (row: Row) => string | number;
  /** Height of a row, pixels; of a row that can be opened: while it is closed. */
  readonly height: number;
  /** How much of the screen the rows take, as a class. */
  readonly className?: string;
  /** Place of the row to begin at. Read once: later the reader scrolls. */
  readonly first?: number;
  /** Rows tell their heights themselves. Default: all are as high as `height`. */
  readonly isMeasured?: boolean;
  readonly children: (row: Row) => ReactNode;
}

/** Any number of rows, of which the page holds those in sight. A row that comes moves the others, but nothing around them. */
export function VirtualRows<Row>(props: VirtualRowsProps<Row>): ReactNode {
  const { rows, label, keyOf, height, className = '', first = -1, isMeasured, children } = props;
  const place = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => place.current,
    estimateSize: () => height,
    overscan: 10,
    getItemKey: (index) => {
      const row = rows[index];
      return row === undefined ? index : keyOf(row);
    },
  });
  useEffect(() => {
    if (first >= 0) virtual.scrollToIndex(first, { align: 'start' });
    // Only at first.
  }, []);
  return (
    <div
      className={`virtual ${className}`}
      ref={place}
      tabIndex={0}
      role="region"
      aria-label={label}
    >
      <div className="virtual-inner" style={{ height: virtual.getTotalSize() }}>
        {virtual.getVirtualItems().map(({ key, index, start }) => {
          const row = rows[index];
          if (row === undefined) return null;
          return (
            <div
              key={key}
              className="virtual-row"
              data-index={index}
              ref={isMeasured === true ? virtual.measureElement : undefined}
              style={{ transform: `translateY(${start}px)` }}
            >
              {children(row)}
            </div>
          );
        })}
      </div>
    </div>
  );
}
