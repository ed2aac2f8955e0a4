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
  model: 'Keep one model for a conversation: each model has its own cache.',
  tools: 'Keep the list of tools; allow or forbid single ones with tool_choice.',
  'tools-order': 'Sort the tools, for instance by name: order is part of the prefix.',
  system: 'Keep the system prompt as it is, and put what changes into the newest message.',
  volatile:
    'Move times, ids and counters from the prefix to the newest message, or let a tool return them.',
  'key-order': 'Write the keys of JSON in one order: sort them.',
  messages: 'Do not change what was sent; remove content rarely, and a lot at once.',
  lifetime: 'Send the next request before the cache expires, or pay for one hour.',
  minimum: 'The prefix is too short to be cached: put what stays the same first.',
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
