import { createReadStream, existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { type Message, repairMessages } from '@ctx/core';
import type { replaySession } from '@ctx/replay';
import { readTranscript, requestsOf } from '@ctx/transcripts';

/** A long session, and what it was made of. */
export interface LongSession {
  readonly session: Parameters<typeof replaySession>[0];
  readonly steps: number;
  /** Names of the recorded sessions, or `synthetic`. */
  readonly madeOf: readonly string[];
}

const hourMs = 3_600_000;

/** Four hours, whatever the number of steps. */
function fourHours(steps: number): number[] {
  return Array.from({ length: steps }, (_, step) => Math.round((step * 4 * hourMs) / steps));
}

const isAnswer = ({ role }: Message): boolean => role === 'assistant';

/** The conversation of one file, its call ids made unique, so that several can stand one after the other. */
async function messagesOf(path: string, prefix: string): Promise<Message[]> {
  const { events } = await readTranscript(createReadStream(path));
  const { messages } = repairMessages(requestsOf(events).messages);
  const named = (id: string): string => `${prefix}-${id}`;
  return messages.map((message) => ({
    ...message,
    content: message.content.map((block) => {
      if (block.type === 'tool_use') return { ...block, id: named(block.id) };
      if (block.type === 'tool_result') return { ...block, toolUseId: named(block.toolUseId) };
      return block;
    }),
  }));
}

function filesBelow(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && /\.(json|jsonl)$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}

/** Turns of an agent that reads, edits and tests forty files, the same in every run. */
function syntheticMessages(steps: number): Message[] {
  const messages: Message[] = [{ role: 'user', content: [{ type: 'text', text: 'Port it.' }] }];
  for (let step = 0; step < steps; step += 1) {
    const path = `src/file${String((step * 7919) % 40)}.ts`;
    const id = `call${String(step)}`;
    const line = `const value${String(step % 97)} = compute(${String(step % 97)});`;
    const isEdit = step % 4 === 3;
    const input = isEdit ? { path, old_string: line, new_string: `${line} // ported` } : { path };
    const name = isEdit ? 'Edit' : 'Read';
    const text = isEdit ? 'Edited.' : `${`${line}\n`.repeat(60)}end of ${path}`;
    messages.push(
      { role: 'assistant', content: [{ type: 'tool_use', id, name, input }] },
      {
        role: 'user',
        content: [{ type: 'tool_result', toolUseId: id, content: [{ type: 'text', text }] }],
      },
    );
  }
  return messages;
}

/** A session of at least so many steps within four hours: recorded ones, one after the other, or a synthetic one where there are none. */
export async function longSession(data: string, leastSteps: number): Promise<LongSession> {
  const messages: Message[] = [];
  const madeOf: string[] = [];
  const seen = (): number => messages.filter(isAnswer).length;
  for (const path of filesBelow(join(data, 'transcripts'))) {
    if (seen() >= leastSteps) break;
    const found = await messagesOf(path, String(madeOf.length)).catch(() => []);
    if (found.filter(isAnswer).length < 10) continue;
    // Two recorded sessions are one conversation here: what the user says next.
    messages.push(...found);
    madeOf.push(path.slice(data.length + 1));
  }
  const whole = seen() >= leastSteps ? messages : syntheticMessages(leastSteps);
  const steps = whole.filter(isAnswer).length;
  const session = { id: 'long', messages: whole, times: fourHours(steps) };
  return { session, steps, madeOf: whole === messages ? madeOf : ['synthetic'] };
}
