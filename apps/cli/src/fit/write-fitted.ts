import { isDeepStrictEqual } from 'node:util';
import { type Message, repairMessages } from '@ctx/core';
import {
  messagesOf,
  readTranscript,
  type TranscriptEvent,
  viewAt,
  writeTranscript,
  type WrittenTranscript,
} from '@ctx/transcripts';
import { patchLog } from './patch-log.ts';
import { rebuildLog } from './rebuild-log.ts';

/** What is written, and from what. */
export interface FittedLog {
  readonly events: readonly TranscriptEvent[];
  readonly source: Uint8Array;
  readonly format: string;
  readonly messages: readonly Message[];
  /** Whether the first message ends with a notice of what left. */
  readonly hasNotice: boolean;
  /** The session id where the lines of the source name none. */
  readonly sessionId: string;
}

/** What a model sees of a message: how the file wrote it is not compared. */
function shownOf(messages: readonly Message[]): readonly unknown[] {
  return messages.map(({ role, content }) => ({ role, content }));
}

async function readsAs(bytes: Uint8Array, { format, messages }: FittedLog): Promise<boolean> {
  const { events } = await readTranscript(bytes, { format });
  const again = repairMessages(messagesOf(events)).messages;
  return isDeepStrictEqual(shownOf(again), shownOf(messages));
}

/**
 * Writes the fitted conversation in the format it came in: unchanged records as they were, where the result then reads as
 * the fitted conversation; else its messages alone, with the fields around them.
 */
export async function writeFitted(log: FittedLog): Promise<WrittenTranscript> {
  const { events, format, source, messages, hasNotice, sessionId } = log;
  const patched = await writeTranscript(patchLog(events, messages, hasNotice), { format, source });
  if (await readsAs(patched.bytes, log)) return patched;
  const { system } = viewAt(events, Number.POSITIVE_INFINITY);
  return writeTranscript(rebuildLog(events, system, messages), { format, sessionId });
}
