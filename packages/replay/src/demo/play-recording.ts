import { compactSession } from '@ctx/compactor';
import type { Message } from '@ctx/core';
import { outputText } from '@ctx/core/encoding';
import type { ContextStore } from '@ctx/store';
import { readTranscript, viewAt } from '@ctx/transcripts';
import { openSessionWindow } from '@ctx/truncation';

/** What a recording is played as. */
export interface RecordingNames {
  readonly sessionId: string;
  readonly agentId: string;
  readonly title: string;
  /** Label of the checkpoint that the agent keeps shortly before the end. */
  readonly checkpoint: string;
}

/** Small enough that something of the recording has to leave. */
const windowTokens = 64_000;
/** Between two requests, as `ctx replay` has it where nothing else is known, ms. */
const stepMs = 20_000;
/** How many requests before its end the agent keeps a checkpoint. */
const checkpointBefore = 20;

interface Recording {
  readonly system: string;
  readonly messages: readonly Message[];
}

async function readRecording(bytes: Uint8Array): Promise<Recording> {
  const { events } = await readTranscript(bytes);
  const { system, entries } = viewAt(events, Number.POSITIVE_INFINITY);
  return {
    system:
      system?.content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n') ??
      '',
    messages: entries.map(({ message }) => message),
  };
}

function textOf({ content }: Message): string {
  return content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n');
}

/** Of a result, the beginning: the document is for people. */
const resultCharacters = 1000;

/** What the document's history says of a message: its text, or how the results in it begin. */
function historyText({ content }: Message): string {
  return content
    .flatMap((block) => {
      if (block.type === 'text') return [block.text];
      return block.type === 'tool_result'
        ? [outputText(block.content).slice(0, resultCharacters)]
        : [];
    })
    .join('\n');
}

/** Who says it: what a tool returned stands in a message of the user's, but is not the user's word. */
function roleOf({ role, content }: Message): string {
  return content.some(({ type }) => type === 'tool_result') ? 'tool' : role;
}

/** What an edit wrote, below the name of the file; all of the input where it is none that is known. */
function editText(input: unknown): string {
  if (
    typeof input === 'object' &&
    input !== null &&
    'file_path' in input &&
    'new_string' in input
  ) {
    return `${String(input.file_path)}\n${String(input.new_string)}`;
  }
  return outputText(input);
}

/** What the agent keeps: what it was asked for as tasks, what it said as notes, and the code that it wrote. */
async function keepItems(
  store: ContextStore,
  message: Message,
  { agentId, sessionId }: RecordingNames,
): Promise<void> {
  const text = textOf(message);
  const common = { agentId, sessionId, once: true, source: sessionId };
  if (text !== '') {
    const kind = message.role === 'user' ? 'TASK' : 'NOTE';
    await store.items.save({ ...common, kind, content: text });
  }
  for (const block of message.content) {
    if (block.type !== 'tool_use' || block.name !== 'Edit') continue;
    await store.items.save({
      ...common,
      kind: 'CODE',
      content: editText(block.input),
    });
  }
}

async function sendAll(
  store: ContextStore,
  { system, messages }: Recording,
  names: RecordingNames,
): Promise<void> {
  const { sessionId, agentId, checkpoint } = names;
  const requests = messages.filter(({ role }) => role === 'assistant').length;
  const begin = store.clock() - requests * stepMs;
  const fixedTokens = store.countTokens(system);
  const window = await openSessionWindow({ store, sessionId, windowTokens, fixedTokens });
  await window.resize({ windowTokens, fixedTokens, fixed: { system: fixedTokens, tools: 0 } });
  let sent = 0;
  for (const message of messages) {
    if (message.role === 'assistant') {
      await window.request(begin + sent * stepMs);
      sent += 1;
      if (sent === requests - checkpointBefore) {
        await store.checkpoints.flashSave({
          agentId,
          sessionId,
          trigger: 'manual',
          label: checkpoint,
        });
      }
    }
    await window.insert(message);
    await keepItems(store, message, names);
  }
  await window.close();
}

/**
 * Plays the transcript of an agent into a window of its own, once: its requests, what left for them, its items and a checkpoint of them.
 * Real content through the real window; nothing is made up but the times, which end now. A second call does nothing.
 */
export async function playRecording(
  store: ContextStore,
  bytes: Uint8Array,
  names: RecordingNames,
): Promise<void> {
  const { sessionId, agentId, title } = names;
  if ((await store.events.tally(sessionId)).events > 0) return;
  const recording = await readRecording(bytes);
  await store.sessions.update(sessionId, (session) => ({
    ...session,
    agentId,
    title,
    document: {
      ...session.document,
      recent_history: recording.messages.flatMap((message) => {
        const content = historyText(message);
        const timestamp = Math.floor(store.clock() / 1000);
        return content === '' ? [] : [{ timestamp, role: roleOf(message), content }];
      }),
    },
  }));
  await sendAll(store, recording, names);
  await compactSession(store, sessionId, { isManual: true, policy: { keepEntries: 12 } });
}
