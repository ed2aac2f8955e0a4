import type { ReactNode } from 'react';
import { Table } from '../lists/table.tsx';
import { countText, shareText } from '../text/format.ts';
import type { BarPart } from './stacked-bar.tsx';
import { Swatch } from './swatch.tsx';

interface PieProps {
  readonly label: string;
  readonly parts: readonly (BarPart & { readonly items: number })[];
  /** Name of the part that is chosen. */
  readonly chosen: string | undefined;
  readonly onChoose: (name: string | undefined) => void;
  /** What the parts mean. */
  readonly children?: ReactNode;
}

const radius = 42;
const round = 2 * Math.PI * radius;

interface Slice {
  readonly tone: string;
  readonly name: string;
  readonly start: number;
  readonly length: number;
}

function slicesOf(parts: PieProps['parts']): Slice[] {
  const all = parts.reduce((sum, { items }) => sum + items, 0);
  let start = 0;
  return parts.map(({ name, tone, items }) => {
    const length = all === 0 ? 0 : (items / all) * round;
    const slice = { name, tone, start, length };
    start += length;
    return slice;
  });
}

interface TierProps {
  readonly part: PieProps['parts'][number];
  readonly all: number;
  readonly isChosen: boolean;
  readonly onToggle: () => void;
}

function TierRow({ part, all, isChosen, onToggle }: TierProps): ReactNode {
  const { name, tone, items, value } = part;
  return (
    <tr className={isChosen ? 'chosen' : ''}>
      <td>
        <button type="button" className="plain" aria-pressed={isChosen} onClick={onToggle}>
          <Swatch tone={tone} />
          {name}
        </button>
      </td>
      <td className="number">{countText(items)}</td>
      <td className="number">{shareText(items, all)}</td>
      <td className="number">{countText(value)}</td>
    </tr>
  );
}

function Slices({ label, parts, chosen, onChoose }: PieProps): ReactNode {
  return (
    <svg viewBox="0 0 120 120" role="img" aria-label={label}>
      <circle className="ring" cx="60" cy="60" r={radius} />
      {slicesOf(parts).map(({ name, tone, start, length }) => (
        <circle
          key={name}
          className={`slice tone-${tone} ${chosen !== undefined && chosen !== name ? 'dim' : ''}`}
          cx="60"
          cy="60"
          r={radius}
          strokeDasharray={`${length} ${round - length}`}
          strokeDashoffset={-start}
          onClick={() => {
            onChoose(name);
          }}
        />
      ))}
      <text x="60" y="60" textAnchor="middle" className="pie-count">
        {countText(parts.reduce((sum, { items }) => sum + items, 0))}
      </text>
      <text x="60" y="74" textAnchor="middle" className="pie-unit">
        items
      </text>
    </svg>
  );
}

/** How items are spread over tiers. Each part is a button that filters. */
export function Pie({ label, parts, chosen, onChoose, children }: PieProps): ReactNode {
  const all = parts.reduce((sum, { items }) => sum + items, 0);
  const toggle = (name: string | undefined): void => {
    onChoose(name === chosen ? undefined : name);
  };
  return (
    <div className="pie">
      <Slices label={label} parts={parts} chosen={chosen} onChoose={toggle} />
      <Table columns={[['Tier'], ['Items', 'number'], ['Share', 'number'], ['Tokens', 'number']]}>
        {parts.map((part) => (
          <TierRow
            key={part.name}
            part={part}
            all={all}
            isChosen={part.name === chosen}
            onToggle={() => {
              toggle(part.name);
            }}
          />
        ))}
      </Table>
      {children}
    </div>
  );
}
