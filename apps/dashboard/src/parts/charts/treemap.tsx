import type { ReactNode } from 'react';

type Area = readonly [name: string, value: number];

const sumOf = (areas: readonly Area[]): number => areas.reduce((sum, [, value]) => sum + value, 0);

/** Splits two or more areas into two parts of about the same sum. Pure. */
export function halvesOf(areas: readonly Area[]): readonly [readonly Area[], readonly Area[]] {
  let place = 1;
  while (place < areas.length - 1 && sumOf(areas.slice(0, place)) * 2 < sumOf(areas)) place += 1;
  return [areas.slice(0, place), areas.slice(place)];
}

function Split({ areas }: { areas: readonly Area[] }): ReactNode {
  const name = areas[0]?.[0];
  return (
    <div className="area" style={{ flexGrow: sumOf(areas) }} title={name}>
      {areas.length < 2 ? name : halvesOf(areas).map((half, at) => <Split key={at} areas={half} />)}
    </div>
  );
}

interface TreemapProps {
  readonly label: string;
  readonly areas: readonly Area[];
}

/** Rectangles in proportion to their values, the largest first, split in halves across and down in turn. */
export function Treemap({ label, areas }: TreemapProps): ReactNode {
  return (
    <div className="treemap" role="img" aria-label={label}>
      <Split areas={areas} />
    </div>
  );
}
