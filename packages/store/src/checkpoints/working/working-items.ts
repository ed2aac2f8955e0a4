import type { RecordLists } from '../../backend/store-backend.ts';
import {
  columnOfPart,
  idsOfPart,
  type ListedColumn,
  type StandingItem,
  splitPart,
  standingItems,
  type WorkingPart,
  workingPart,
} from './working-part.ts';

/** The items of an agent that are not archived, most important first, as they were read. */
export interface WorkingItems {
  readonly count: number;
  /** By place. */
  readonly ranks: readonly number[];
  /** By place. */
  readonly tokens: readonly number[];
  readonly parts: readonly WorkingPart[];
  /** The ids of the first so many. Reads the ids of their parts. */
  ids(count: number): readonly string[];
  /** The column of the item at a place. Reads one list of its part. */
  value(at: number, name: ListedColumn): unknown;
  /** All of them. Makes each item again with each call. */
  list(): readonly StandingItem[];
}

/** The parts before a place and those from there on; the one across it is parted. */
export function partsAround(
  parts: readonly WorkingPart[],
  place: number,
): { readonly before: readonly WorkingPart[]; readonly behind: readonly WorkingPart[] } {
  const before: WorkingPart[] = [];
  const behind: WorkingPart[] = [];
  let start = 0;
  for (const part of parts) {
    const [first, rest] = splitPart(part, place - start);
    before.push(...first);
    behind.push(...rest);
    start += part.lists.count;
  }
  return { before, behind };
}

/** Reads two lists of each part; the others when they are asked for. */
export function workingItems(agentId: string, lists: readonly RecordLists[]): WorkingItems {
  const parts = lists.map(workingPart);
  const count = lists.reduce((sum, part) => sum + part.count, 0);
  const gather = <T>(from: number, to: number, of: (part: WorkingPart) => readonly T[]): T[] => {
    const found: T[] = [];
    let start = 0;
    for (const part of parts) {
      const end = start + part.lists.count;
      if (end > from && start < to) {
        found.push(...of(part).slice(Math.max(0, from - start), to - start));
      }
      start = end;
    }
    return found;
  };
  return {
    count,
    parts,
    ranks: parts.flatMap(({ ranks }) => ranks),
    tokens: parts.flatMap(({ tokens }) => tokens),
    ids: (most) => gather(0, most, idsOfPart),
    value: (at, name) => gather(at, at + 1, (part) => columnOfPart(part, name))[0],
    list: () => parts.flatMap((part) => standingItems(agentId, part)),
  };
}
