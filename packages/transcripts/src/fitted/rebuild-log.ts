import type { Message } from '@ctx/core';
import type { TranscriptEvent } from '../transcript.ts';

/**
 * The log of the fitted conversation: the fields of the document as they were, and the new messages in place of the old.
 * A file that lists several sessions becomes one conversation.
 */
export function rebuildLog(
  events: readonly TranscriptEvent[],
  system: Message | undefined,
  messages: readonly Message[],
): readonly TranscriptEvent[] | readonly Message[] {
  const isDocument = events.some(({ extra }) => extra?.['document'] !== undefined);
  const hasSessions = events.some(({ extra }) => extra?.['session'] !== undefined);
  if (!isDocument || hasSessions) return system === undefined ? messages : [system, ...messages];
  const hasPrompt = events.some(({ flags }) => flags?.prompt === true);
  const frame = events.filter(({ kind, extra, flags }) => {
    const isShape = extra?.['document'] !== undefined || extra?.['field'] !== undefined;
    return flags?.prompt === true || (kind === 'meta' && isShape);
  });
  const listed = system === undefined || hasPrompt ? messages : [system, ...messages];
  const source = { offset: 0, length: 0, sha256: '' };
  const made = listed.map(
    (message, index): TranscriptEvent => ({
      kind: 'message',
      seq: events.length + index,
      lane: 'main',
      message,
      source,
    }),
  );
  return [...frame, ...made];
}
