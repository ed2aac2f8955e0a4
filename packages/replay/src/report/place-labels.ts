/** A point with the text that belongs to it. */
export interface LabelledPoint {
  readonly x: number;
  readonly y: number;
  readonly text: string;
}

/** Where a text stands: its start or end at `x`, its base line at `y`. */
export interface PlacedLabel {
  readonly x: number;
  readonly y: number;
  readonly anchor: 'start' | 'end' | 'middle';
}

/** Room in which texts may stand. */
export interface LabelRoom {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

interface Box {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

/** Width of a sign and height of a line at the size in which the texts are set. */
const sign = 6.4;
const line = 13;

function* candidates({ x, y }: LabelledPoint): Generator<PlacedLabel> {
  for (const [dy, away] of [
    [4, 10],
    [-8, 6],
    [16, 6],
    [-20, 8],
    [28, 8],
    [-32, 10],
    [40, 10],
  ] as const) {
    yield { x: x + away, y: y + dy, anchor: 'start' };
    yield { x: x - away, y: y + dy, anchor: 'end' };
    if (Math.abs(dy) > 4) yield { x, y: y + dy * 1.25, anchor: 'middle' };
  }
}

function boxOf({ x, y, anchor }: PlacedLabel, text: string): Box {
  const width = text.length * sign;
  const left = anchor === 'start' ? x : anchor === 'end' ? x - width : x - width / 2;
  return { left, right: left + width, top: y - line + 3, bottom: y + 3 };
}

function overlap(a: Box, b: Box): number {
  const width = Math.min(a.right, b.right) - Math.max(a.left, b.left);
  const height = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
  return width > 0 && height > 0 ? width * height : 0;
}

function outside(box: Box, room: LabelRoom): number {
  const over =
    Math.max(0, room.left - box.left) +
    Math.max(0, box.right - room.right) +
    Math.max(0, room.top - box.top) +
    Math.max(0, box.bottom - room.bottom);
  return over * line * 2;
}

/**
 * Finds a place for each text near its point where it covers as little as can be, the first points first.
 * Pure; the same points, the same places. Takes time quadratic in the points.
 */
export function placeLabels(points: readonly LabelledPoint[], room: LabelRoom): PlacedLabel[] {
  const taken: Box[] = points.map(({ x, y }) => ({
    left: x - 6,
    right: x + 6,
    top: y - 6,
    bottom: y + 6,
  }));
  return points.map((point) => {
    let best: { readonly label: PlacedLabel; readonly box: Box; readonly cost: number } | undefined;
    let rank = 0;
    for (const label of candidates(point)) {
      const box = boxOf(label, point.text);
      const covered = taken.reduce((sum, other) => sum + overlap(box, other), 0);
      const cost = covered + outside(box, room) + rank;
      if (best === undefined || cost < best.cost) best = { label, box, cost };
      rank += 2;
    }
    const { label, box } = best ?? { label: { ...point, anchor: 'start' }, box: undefined };
    if (box !== undefined) taken.push(box);
    return label;
  });
}
