import type { ReactNode } from 'react';
import { Table } from '../lists/table.tsx';
import { countText, shareText } from '../text/format.ts';
import { Swatch } from './swatch.tsx';

/** A part of a whole; `tone` names its colour, the same everywhere. */
export interface BarPart {
  readonly name: string;
  readonly tone: string;
  readonly value: number;
  readonly note?: string;
}

interface BarProps {
  readonly label: string;
  readonly parts: readonly BarPart[];
  /** What the whole bar stands for. Default: the sum of its parts. */
  readonly whole?: number;
  /** Where the limit is drawn. */
  readonly limit?: number;
  readonly isTall?: boolean;
}

const sumOf = (parts: readonly BarPart[]): number =>
  parts.reduce((sum, { value }) => sum + value, 0);

/** A bar without its table: the table stands elsewhere. A part is placed by a transform, so that its growing moves no other in the layout. */
export function Bar({ label, parts, whole = sumOf(parts), limit, isTall }: BarProps): ReactNode {
  const share = (value: number): number => (whole === 0 ? 0 : value / whole);
  let start = 0;
  return (
    <div className={isTall === true ? 'bar is-tall' : 'bar'} role="img" aria-label={label}>
      {parts.map(({ name, tone, value }) => {
        const transform = `translateX(${share(start) * 100}%) scaleX(${share(value)})`;
        start += value;
        return (
          <span
            key={name}
            className={`fill tone-${tone}`}
            style={{ transform }}
            title={`${name}: ${countText(value)}`}
          />
        );
      })}
      {limit === undefined ? null : (
        <span className="limit" style={{ left: `${share(limit) * 100}%` }} />
      )}
    </div>
  );
}

interface PartsProps {
  readonly parts: readonly BarPart[];
  readonly whole?: number;
  readonly caption?: string;
}

/** What a bar shows, in numbers. */
export function PartsTable({ parts, whole = sumOf(parts), caption }: PartsProps): ReactNode {
  return (
    <Table
      columns={[['Part'], ['Tokens', 'number'], ['Share', 'number']]}
      {...(caption === undefined ? {} : { caption })}
    >
      {parts.map(({ name, tone, value, note }) => (
        <tr key={name}>
          <td>
            <Swatch tone={tone} />
            {name}
            {note === undefined ? null : <span className="muted"> {note}</span>}
          </td>
          <td className="number">{countText(value)}</td>
          <td className="number">{shareText(value, whole)}</td>
        </tr>
      ))}
    </Table>
  );
}
