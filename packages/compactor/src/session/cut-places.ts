import type { HistoryEntry } from '@ctx/store';

/** Whether the entry is the user's own. */
export function isUserEntry({ role }: HistoryEntry): boolean {
  const name = role.toLowerCase();
  return name === 'user' || name === 'human';
}

/** Whether the entry is what a tool returned. */
export function isToolEntry({ role }: HistoryEntry): boolean {
  const name = role.toLowerCase();
  return name === 'tool' || name === 'function' || name === 'tool_result';
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}

/** Ids of the calls that an entry makes, where it names them. */
function callIdsOf(entry: HistoryEntry): readonly string[] {
  const calls = memberOf(entry, 'tool_calls');
  if (!Array.isArray(calls)) return [];
  return calls.map((call) => memberOf(call, 'id')).filter((id) => typeof id === 'string');
}

/** The entry that `entry` belongs to, at the latest itself; notes its own calls. */
function callerOf(entry: HistoryEntry, index: number, calls: Map<string, number>): number {
  if ('tool_calls' in entry) for (const id of callIdsOf(entry)) calls.set(id, index);
  const id = 'tool_call_id' in entry ? entry.tool_call_id : undefined;
  const caller = typeof id === 'string' ? calls.get(id) : undefined;
  return caller ?? (isToolEntry(entry) ? index - 1 : index);
}

/**
 * Where the history may be cut: `true` at `i` where nothing before `i` belongs together with `i` or later. A result belongs to
 * the entry before it, and by its `tool_call_id` to the call of that id, however far back.
 * Pure; as long as the history, and one more for its end. Makes one pass.
 */
export function cutPlaces(history: readonly HistoryEntry[]): readonly boolean[] {
  // At `i` the bonds that begin (+) or end (−) in front of entry `i`.
  const bonds = new Int32Array(history.length + 2);
  const calls = new Map<string, number>();
  history.forEach((entry, index) => {
    const from = callerOf(entry, index, calls);
    if (from < 0 || from >= index) return;
    bonds[from + 1] = (bonds[from + 1] ?? 0) + 1;
    bonds[index + 1] = (bonds[index + 1] ?? 0) - 1;
  });
  const places: boolean[] = [];
  let open = 0;
  for (let index = 0; index <= history.length; index += 1) {
    open += bonds[index] ?? 0;
    places.push(open === 0);
  }
  return places;
}
