import { type ReactNode, useId } from 'react';
import { countText, shareText } from './format.ts';

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
  readonly unit?: string;
}

const sumOf = (parts: readonly BarPart[]): number =>
  parts.reduce((sum, { value }) => sum + value, 0);

/** A bar without its table: the table stands elsewhere. */
export function Bar({ label, parts, whole = sumOf(parts), limit }: BarProps): ReactNode {
  const width = (value: number): string => `${whole === 0 ? 0 : (value / whole) * 100}%`;
  return (
    <div className="bar" role="img" aria-label={label}>
      {parts.map(({ name, tone, value }) => (
        <span
          key={name}
          className={`fill tone-${tone}`}
          style={{ width: width(value) }}
          title={`${name}: ${countText(value)}`}
        />
      ))}
      {limit === undefined ? null : <span className="limit" style={{ left: width(limit) }} />}
    </div>
  );
}

/** A bar and the table that says the same in numbers. */
export function StackedBar({ unit = 'tokens', ...props }: BarProps): ReactNode {
  const { label, parts, whole = sumOf(parts) } = props;
  const caption = useId();
  return (
    <figure className="stacked" aria-labelledby={caption}>
      <figcaption id={caption}>{label}</figcaption>
      <Bar {...props} />
      <table className="legend">
        <thead>
          <tr>
            <th>Part</th>
            <th className="number">{unit}</th>
            <th className="number">share</th>
          </tr>
        </thead>
        <tbody>
          {parts.map(({ name, tone, value, note }) => (
            <tr key={name}>
              <td>
                <span className={`swatch tone-${tone}`} /> {name}
                {note === undefined ? null : <span className="muted"> {note}</span>}
              </td>
              <td className="number">{countText(value)}</td>
              <td className="number">{shareText(value, whole)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </figure>
  );
}
