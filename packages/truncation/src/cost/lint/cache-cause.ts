import type { RequestPart } from './request-part.ts';
import { type VolatileKind, volatileKinds } from './volatile-text.ts';

/** Why tokens that had been sent are paid again. */
export type CacheCause =
  | 'model'
  | 'tools'
  | 'tools-order'
  | 'system'
  | 'volatile'
  | 'key-order'
  | 'messages'
  | 'lifetime'
  | 'minimum';

/** What to do about each cause. One sentence. */
export const cacheFixes: Readonly<Record<CacheCause, string>> = {
  model: 'Keep one model for a conversation: each has a cache of its own.',
  tools: 'Fix the list of tools at the start; allow or forbid single ones with tool_choice.',
  'tools-order': 'Sort the tools, for instance by name: another order is another prefix.',
  system: 'Freeze the system prompt at the start, and say what changes in the newest message.',
  volatile:
    'Take times, ids and counters out of the prefix and into the newest message, or let a tool tell them.',
  'key-order': 'Write JSON with its members in one order: sort them.',
  messages: 'Leave what was sent as it is; let content leave seldom, and much at once.',
  lifetime: 'Send the next request before the cache forgets, or pay for one hour.',
  minimum: 'The prefix is shorter than the model caches: put what stays the same first.',
};

/** How the first part that differs differs. */
export interface PartChange {
  readonly cause: CacheCause;
  /** For `volatile`: what changes. */
  readonly kinds?: readonly VolatileKind[];
}

/** Whether both requests have the same tools. */
function sameTools(before: readonly RequestPart[], after: readonly RequestPart[]): boolean {
  const toolsOf = (parts: readonly RequestPart[]): string =>
    parts
      .filter(({ section }) => section === 'tools')
      .map(({ sameAs }) => sameAs)
      .sort()
      .join();
  return toolsOf(before) === toolsOf(after);
}

function volatileChange(before: RequestPart, after: RequestPart): PartChange | undefined {
  const kinds = volatileKinds(before.text, after.text);
  const telling = kinds.filter((kind) => after.section !== 'messages' || kind !== 'number');
  return telling.length === 0 ? undefined : { cause: 'volatile', kinds: telling };
}

/** Why two parts of one section differ. */
function causeInSection(
  before: readonly RequestPart[],
  after: readonly RequestPart[],
  { old, now }: { readonly old: RequestPart; readonly now: RequestPart },
): PartChange {
  if (old.sameAs === now.sameAs) return { cause: 'key-order' };
  if (now.section === 'tools' && sameTools(before, after)) return { cause: 'tools-order' };
  return volatileChange(old, now) ?? { cause: now.section };
}

/** Tells why the parts at `index`, the first that differ, do. One of the requests may have ended there. */
export function causeOfChange(
  before: readonly RequestPart[],
  after: readonly RequestPart[],
  index: number,
): PartChange {
  const old = before[index];
  const now = after[index];
  if (old !== undefined && now !== undefined && now.section === old.section) {
    return causeInSection(before, after, { old, now });
  }
  // One of the two has no more of a section: what it has less, or more, is what changed.
  const sections = new Set([old?.section, now?.section]);
  if (sections.has('tools')) return { cause: 'tools' };
  return { cause: sections.has('system') ? 'system' : 'messages' };
}
