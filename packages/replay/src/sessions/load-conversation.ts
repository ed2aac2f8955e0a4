import { createHash } from 'node:crypto';
import { CtxError, callsOf, type Message, repairMessages } from '@ctx/core';
import { lastViewOf, type TranscriptEvent, toolsOf } from '@ctx/transcripts';
import { readTranscriptFile } from '@ctx/transcripts/import';
import type { conversationMeter } from '@ctx/truncation';
import { repairCounts, systemText } from './load-sessions.ts';

type Repair = ReturnType<typeof repairMessages>['repairs'][number];

type RequestFrame = Parameters<typeof conversationMeter>[0];

/** A conversation that was read. */
export interface FileConversation extends RequestFrame {
  readonly name: string;
  readonly source: Uint8Array;
  readonly events: readonly TranscriptEvent[];
  readonly format: string;
  readonly messages: readonly Message[];
  readonly repairs: ReturnType<typeof repairMessages>['repairs'];
  /** The same by kind. */
  readonly repaired: Readonly<Record<string, number>>;
  readonly asideMessages: number;
  /** Id of the session that it is kept in: the same file, the same one, for each mode of redaction. */
  readonly sessionId: (redact: string) => string;
}

/** Calls that the reader gave ids of their own, since the file uses theirs twice: a provider would refuse it as it is. */
function renamedCalls({ messages, events }: ReturnType<typeof lastViewOf>): Repair[] {
  const given = new Set(events.flatMap(({ extra }) => Object.keys(extra?.['callIds'] ?? {})));
  return messages.flatMap((message, messageIndex) =>
    callsOf(message)
      .filter(({ id }) => given.has(id))
      .map(({ id }): Repair => ({ kind: 'duplicate-call-renamed', messageIndex, toolUseId: id })),
  );
}

/**
 * Reads what a file holds of one conversation; `name` is how errors name the file.
 * @throws `CTX_INVALID_INPUT` for several, and the codes of the file.
 */
export async function loadConversation(
  path: string,
  name: string,
  format?: string,
): Promise<FileConversation> {
  const chunks: Uint8Array[] = [];
  const { events, receipt } = await readTranscriptFile(path, {
    name,
    ...(format === undefined ? {} : { format }),
    onChunk: (chunk) => chunks.push(chunk),
  });
  const source = Buffer.concat(chunks);
  const listed = receipt.lanes.filter((lane) => lane.startsWith('session-')).length;
  if (listed > 1) {
    const message = `${name} holds ${String(listed)} sessions; fit takes one conversation`;
    throw new CtxError('CTX_INVALID_FILE', message);
  }
  const view = lastViewOf(events);
  const { messages, repairs: mended } = repairMessages(view.messages);
  const repairs = [...renamedCalls(view), ...mended];
  const system = systemText(view.system);
  const tools = toolsOf(events);
  return {
    ...{ name, source, events, format: receipt.format, messages, repairs, system, tools },
    repaired: repairCounts(repairs),
    asideMessages: view.asideMessages,
    sessionId: (redact) => sessionIdOf(source, redact),
  };
}

function sessionIdOf(source: Uint8Array, redact: string): string {
  const fingerprint = createHash('sha256').update(source).digest('hex').slice(0, 16);
  // What was redacted and what was not are different things: neither may stand for the other.
  return `fit-${fingerprint}${redact === 'on' ? '' : `-${redact}`}`;
}
