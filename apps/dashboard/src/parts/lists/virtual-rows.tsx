import { useVirtualizer } from '@tanstack/react-virtual';
import { type ReactNode, type RefObject, useEffect, useRef } from 'react';

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
  /** Called while the last rows are near, to read on. */
  readonly onEnd?: () => void;
  readonly children: (row: Row) => ReactNode;
}

interface EndProps {
  /** Place of the last row that the page holds. */
  readonly last: number;
  readonly count: number;
  readonly onEnd: (() => void) | undefined;
}

/** Asks for more rows while the last ones are near. */
function useEnd({ last, count, onEnd }: EndProps): void {
  const isNearEnd = last >= count - 1;
  useEffect(() => {
    if (isNearEnd) onEnd?.();
    // `onEnd` is another function each time.
  }, [isNearEnd, count]);
}

/** Which rows are in sight. */
function useRows<Row>(props: VirtualRowsProps<Row>, place: RefObject<HTMLDivElement | null>) {
  const { rows, keyOf, height, first = -1 } = props;
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
  return virtual;
}

/** Any number of rows, of which the page holds those in sight. A row that comes moves the others, but nothing around them. */
export function VirtualRows<Row>(props: VirtualRowsProps<Row>): ReactNode {
  const { rows, label, className = '', isMeasured, onEnd, children } = props;
  const place = useRef<HTMLDivElement>(null);
  const virtual = useRows(props, place);
  useEnd({ last: virtual.getVirtualItems().at(-1)?.index ?? -1, count: rows.length, onEnd });
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
