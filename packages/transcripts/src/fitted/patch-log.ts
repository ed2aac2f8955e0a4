import type { ContentBlock, Message } from '@ctx/core';
import { viewAt } from '../history/view-at.ts';
import type { TranscriptEvent } from '../transcript.ts';

/** A fitted conversation, and the one that it was made of. */
export interface Fitted {
  readonly messages: readonly { readonly message: Message; readonly place: number }[];
  /** The messages before, mended: what the places count. */
  readonly given: readonly Message[];
}

/** Knows which event of the view each block came from, by the block itself, and by the id of its call. */
interface Origins {
  readonly blocks: ReadonlyMap<ContentBlock, number>;
  readonly calls: ReadonlyMap<string, number>;
  readonly results: ReadonlyMap<string, number>;
}

function originsOf(inView: readonly TranscriptEvent[]): Origins {
  const blocks = new Map<ContentBlock, number>();
  const calls = new Map<string, number>();
  const results = new Map<string, number>();
  for (const { seq, message } of inView) {
    for (const block of message?.content ?? []) {
      blocks.set(block, seq);
      if (block.type === 'tool_use') calls.set(block.id, seq);
      if (block.type === 'tool_result') results.set(block.toolUseId, seq);
    }
  }
  return { blocks, calls, results };
}

function originOf(block: ContentBlock, { blocks, calls, results }: Origins): number | undefined {
  const same = blocks.get(block);
  if (same !== undefined) return same;
  if (block.type === 'tool_use') return calls.get(block.id);
  return block.type === 'tool_result' ? results.get(block.toolUseId) : undefined;
}

/** What each event of the view holds now. A block without an origin goes to the event of the block before it. */
function contentsOf(fitted: Fitted, origins: Origins): Map<number, ContentBlock[]> {
  const contents = new Map<number, ContentBlock[]>();
  for (const { message, place } of fitted.messages) {
    const homes = (fitted.given[place]?.content ?? []).flatMap(
      (block) => originOf(block, origins) ?? [],
    );
    // A notice comes after what stands there already.
    let at = homes.findLast((seq) => contents.has(seq)) ?? homes[0];
    for (const block of message.content) {
      const origin = originOf(block, origins);
      if (origin !== undefined && homes.includes(origin)) at = origin;
      if (at !== undefined) contents.set(at, [...(contents.get(at) ?? []), block]);
    }
  }
  return contents;
}

/** The event with what it holds now; blocks that the view shows as they are stay as the file has them. */
function withContent(
  event: TranscriptEvent,
  shown: TranscriptEvent,
  content: readonly ContentBlock[],
): TranscriptEvent {
  const { message } = event;
  if (message === undefined) return event;
  const before = shown.message?.content ?? [];
  const next = content.map((block) => {
    const index = before.indexOf(block);
    return index === -1 ? block : (message.content[index] ?? block);
  });
  const isSame =
    next.length === message.content.length &&
    next.every((block, index) => block === message.content[index]);
  return isSame ? event : { ...event, message: { ...message, content: next } };
}

type Parents = ReadonlyMap<string, string | undefined>;

/** The nearest parent that stayed. */
function keptParent(id: string, parents: Parents): string | undefined {
  const passed = new Set<string>();
  let parentId: string | undefined = id;
  while (parentId !== undefined && parents.has(parentId) && !passed.has(parentId)) {
    passed.add(parentId);
    parentId = parents.get(parentId);
  }
  return parentId;
}

/** The fields of the record, with another parent. */
function extraWithParent(
  extra: TranscriptEvent['extra'],
  parentId: string | undefined,
): TranscriptEvent['extra'] {
  const record = extra?.['record'];
  if (typeof record !== 'object' || record === null) return extra;
  return { ...extra, record: { ...record, parentUuid: parentId ?? null } };
}

/** Hangs an event whose parent left onto the nearest one that stayed. */
function reparented(event: TranscriptEvent, parents: Parents): TranscriptEvent {
  const { parentId: left, extra: _extra, ...rest } = event;
  if (left === undefined || !parents.has(left)) return event;
  const parentId = keptParent(left, parents);
  const extra = extraWithParent(event.extra, parentId);
  return {
    ...rest,
    ...(parentId === undefined ? {} : { parentId }),
    ...(extra === undefined ? {} : { extra }),
  };
}

/**
 * The log of the fitted conversation with every event that stayed as it was: those of messages that left are taken out, and
 * the others get what stands in their place now. What the view did not show stays.
 * Pure. Whether the log reads as the fitted conversation is for the caller to check.
 */
export function patchLog(
  events: readonly TranscriptEvent[],
  fitted: Fitted,
): readonly TranscriptEvent[] {
  const { entries } = viewAt(events, Number.POSITIVE_INFINITY);
  const inView = entries.flatMap((entry) => entry.events);
  const shown = new Map(inView.map((event) => [event.seq, event]));
  const contents = contentsOf(fitted, originsOf(inView));
  const hasLeft = ({ seq, message }: TranscriptEvent): boolean =>
    shown.has(seq) && message !== undefined && message.content.length > 0 && !contents.has(seq);
  const parents = new Map<string, string | undefined>();
  for (const event of events) {
    if (event.id !== undefined && hasLeft(event)) parents.set(event.id, event.parentId);
  }
  return events
    .filter((event) => !hasLeft(event))
    .map((event) => {
      const before = shown.get(event.seq);
      const content = contents.get(event.seq);
      const isChanged = before !== undefined && content !== undefined;
      return reparented(isChanged ? withContent(event, before, content) : event, parents);
    });
}
