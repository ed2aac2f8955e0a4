import type { ContentBlock, Message } from '@ctx/core';
import { type TranscriptEvent, viewAt } from '@ctx/transcripts';

/** What of the conversation is still there, by block. */
interface Kept {
  readonly blocks: ReadonlySet<ContentBlock>;
  readonly callIds: ReadonlySet<string>;
  readonly results: ReadonlyMap<string, ContentBlock>;
}

function keptIn(messages: readonly Message[]): Kept {
  const blocks = messages.flatMap(({ content }) => content);
  const callIds = new Set<string>();
  const results = new Map<string, ContentBlock>();
  for (const block of blocks) {
    if (block.type === 'tool_use') callIds.add(block.id);
    if (block.type === 'tool_result') results.set(block.toolUseId, block);
  }
  return { blocks: new Set(blocks), callIds, results };
}

function isKept(block: ContentBlock, { blocks, callIds, results }: Kept): boolean {
  if (block.type === 'tool_use') return callIds.has(block.id);
  if (block.type === 'tool_result') return results.has(block.toolUseId);
  return blocks.has(block);
}

/** The event with the results that the fitted conversation has. */
function withResults(
  event: TranscriptEvent,
  { results }: Kept,
  seen: ReadonlySet<unknown>,
): TranscriptEvent {
  const { message } = event;
  if (message === undefined) return event;
  const content = message.content.map((block) => {
    const fitted = block.type === 'tool_result' ? results.get(block.toolUseId) : undefined;
    return fitted === undefined || seen.has(fitted) ? block : fitted;
  });
  const isSame = content.every((block, index) => block === message.content[index]);
  return isSame ? event : { ...event, message: { ...message, content } };
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

function withNotice(event: TranscriptEvent, notice: ContentBlock | undefined): TranscriptEvent {
  const { message } = event;
  if (notice === undefined || message === undefined) return event;
  return { ...event, message: { ...message, content: [...message.content, notice] } };
}

/**
 * The log of the fitted conversation with every event that stayed as it was: those of messages that left are taken out,
 * results that are previews now are replaced, and the first message gets the notice. What the view did not show stays.
 * Contract: pure. Whether the log reads as the fitted conversation is for the caller to check.
 */
export function patchLog(
  events: readonly TranscriptEvent[],
  fitted: readonly Message[],
  hasNotice: boolean,
): readonly TranscriptEvent[] {
  const { entries } = viewAt(events, Number.POSITIVE_INFINITY);
  const kept = keptIn(fitted);
  const notice = hasNotice ? fitted[0]?.content.at(-1) : undefined;
  const seen = new Set<unknown>(entries.flatMap(({ message }) => message.content));
  const inView = new Set(entries.flatMap((entry) => entry.events.map(({ seq }) => seq)));
  const task = entries[0]?.events.at(-1)?.seq;
  const hasLeft = ({ seq, message }: TranscriptEvent): boolean =>
    inView.has(seq) &&
    message !== undefined &&
    message.content.length > 0 &&
    !message.content.some((block) => isKept(block, kept));
  const parents = new Map<string, string | undefined>();
  for (const event of events) {
    if (event.id !== undefined && hasLeft(event)) parents.set(event.id, event.parentId);
  }
  return events
    .filter((event) => !hasLeft(event))
    .map((event) => {
      const shown = inView.has(event.seq) ? withResults(event, kept, seen) : event;
      return reparented(event.seq === task ? withNotice(shown, notice) : shown, parents);
    });
}
