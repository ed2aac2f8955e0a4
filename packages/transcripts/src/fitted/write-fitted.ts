import { isDeepStrictEqual } from 'node:util';
import { type ContentBlock, isCtxError, type Message, repairMessages } from '@ctx/core';
import { builtInFormats } from '../built-in-formats.ts';
import { withOwnCallIds } from '../calls/call-ids.ts';
import { viewAt } from '../history/view-at.ts';
import { readTranscript } from '../read-transcript.ts';
import type { TranscriptEvent } from '../transcript.ts';
import { type WrittenTranscript, writeTranscript } from '../write-transcript.ts';
import { type Fitted, patchLog } from './patch-log.ts';
import { rebuildLog } from './rebuild-log.ts';

/** What is written, and from what. */
export interface FittedLog extends Fitted {
  readonly events: readonly TranscriptEvent[];
  readonly source: Uint8Array;
  readonly format: string;
  /** The session id where the lines of the source name none. */
  readonly sessionId: string;
}

/** What a model sees: runs of user messages as one, and not how the file wrote them. */
function shownOf(messages: readonly Message[]): readonly unknown[] {
  const shown: { role: string; content: ContentBlock[] }[] = [];
  for (const { role, content } of messages) {
    const last = shown.at(-1);
    if (role === 'user' && last?.role === 'user') last.content.push(...content);
    else shown.push({ role, content: [...content] });
  }
  return shown;
}

/** Fields beside the messages that a list of messages alone does not hold. */
const fieldsBeside = ['at', 'id', 'parentId', 'model', 'usage'] as const;

const fieldNames: Readonly<Record<(typeof fieldsBeside)[number], string>> = {
  at: 'time',
  id: 'record id',
  parentId: 'parent',
  model: 'model',
  usage: 'usage',
};

function countFields(events: readonly TranscriptEvent[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const field of fieldsBeside) {
    const count = events.filter((event) => event[field] !== undefined).length;
    if (count > 0) counts.set(fieldNames[field], count);
  }
  return counts;
}

/** What messages of the view lost, beside their content, where they were written anew. */
function lossesOf(
  inView: readonly TranscriptEvent[],
  written: readonly TranscriptEvent[],
): Record<string, number> {
  const now = countFields(written);
  const losses = [...countFields(inView)].map(
    ([field, count]) => [`${field} of a message`, count - (now.get(field) ?? 0)] as const,
  );
  return Object.fromEntries(losses.filter(([, count]) => count > 0));
}

async function readBack(
  bytes: Uint8Array,
  format: string,
): Promise<{ events: readonly TranscriptEvent[]; messages: readonly Message[] }> {
  const { events } = await readTranscript(bytes, { format });
  const { entries } = viewAt(events, Number.POSITIVE_INFINITY);
  return { events, messages: repairMessages(entries.map(({ message }) => message)).messages };
}

async function rebuild(log: FittedLog): Promise<WrittenTranscript> {
  const { events, format, sessionId, messages, given } = log;
  const { system, entries } = viewAt(events, Number.POSITIVE_INFINITY);
  const list = messages.map(({ message }) => message);
  const written = await writeTranscript(rebuildLog(events, system, list), { format, sessionId });
  // Only of what stayed: what left is kept elsewhere.
  const stayed = new Set(messages.flatMap(({ place }) => given[place]?.content ?? []));
  const inView = entries
    .flatMap((entry) => entry.events)
    .filter(({ message }) => message?.content.some((block) => stayed.has(block)) === true);
  const again = await readBack(written.bytes, format);
  const losses = { ...written.receipt.losses, ...lossesOf(inView, again.events) };
  return { ...written, receipt: { ...written.receipt, losses } };
}

/** What every conversation can be written as. */
const usualFormat = 'anthropic';

function canBeWritten(format: string): boolean {
  return builtInFormats.some((each) => each.name === format && each.write !== undefined);
}

/** Writes another format than the log's, and says why in the receipt. */
async function rebuildAsUsual(log: FittedLog, why: string): Promise<WrittenTranscript> {
  const written = await rebuild({ ...log, format: usualFormat });
  const { receipt } = written;
  const note = `the format ${log.format}, ${why}: it is ${usualFormat} now`;
  return { ...written, receipt: { ...receipt, losses: { ...receipt.losses, [note]: 1 } } };
}

/**
 * Writes the fitted conversation in the format it came in, or as a list of Anthropic messages if that format cannot be written.
 * Unchanged records stay as they were if the result then reads as the fitted conversation; otherwise only its messages are written,
 * with the fields around them. The receipt counts what is lost.
 */
export async function writeFitted(log: FittedLog): Promise<WrittenTranscript> {
  const { events, format, source, messages } = log;
  if (!canBeWritten(format)) return rebuildAsUsual(log, 'which can be read only');
  // A model is sent this: no call id may stand in it twice.
  const patchedLog = patchLog(events, log).map(withOwnCallIds);
  const patched = await writeTranscript(patchedLog, { format, source });
  const again = await readBack(patched.bytes, format);
  const list = messages.map(({ message }) => message);
  if (isDeepStrictEqual(shownOf(again.messages), shownOf(list))) return patched;
  try {
    return await rebuild(log);
  } catch (error) {
    // Some formats are written only from records of their own, and none of them may have stayed.
    if (!isCtxError(error, 'CTX_INVALID_INPUT')) throw error;
    return rebuildAsUsual(log, 'which is written only from records of its own');
  }
}
