import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { ContentBlock, Message } from '@ctx/core';
import { assistant, call, result, text, user } from './conversation.ts';

/** A block of a recording, as far as it is read. */
interface RecordedBlock {
  readonly type: string;
  readonly text?: string;
  readonly id?: string;
  readonly name?: string;
  readonly input?: unknown;
  readonly tool_use_id?: string;
  readonly is_error?: boolean;
  readonly content?: string | readonly RecordedBlock[];
}

interface RecordedMessage {
  readonly role: string;
  readonly content: string | readonly RecordedBlock[];
}

/** Where recorded sessions lie beside the repository; they are no part of it. */
export const recordingsFolder: string = join(rootFolder(), '../shared/data/transcripts');

/** The folder of the project. */
export const projectFolder: string = rootFolder();

function rootFolder(): string {
  let folder = import.meta.dirname;
  while (!existsSync(join(folder, 'pnpm-workspace.yaml')) && dirname(folder) !== folder) {
    folder = dirname(folder);
  }
  return resolve(folder);
}

/** A recording in ctx's form. */
export interface RecordedSession {
  readonly name: string;
  readonly messages: readonly Message[];
  /** Numbers of messages in front of which the agent compacted. */
  readonly compactions: readonly number[];
}

/** The first `perSet` recordings of each set, by name; none where there is no folder. */
export function recordedSessions(perSet: number): RecordedSession[] {
  if (!existsSync(recordingsFolder)) return [];
  return readdirSync(recordingsFolder).flatMap((set) =>
    readdirSync(join(recordingsFolder, set))
      .filter((file) => file.endsWith('.json'))
      .sort()
      .slice(0, perSet)
      .map((file) => ({
        name: `${set}/${file}`,
        ...readRecording(join(recordingsFolder, set, file)),
      })),
  );
}

/** Reads one recording. */
export function readRecording(path: string): Omit<RecordedSession, 'name'> {
  const { meta, messages } = JSON.parse(readFileSync(path, 'utf8')) as {
    readonly meta?: { readonly compaction_events?: readonly { readonly message?: number }[] };
    readonly messages: readonly RecordedMessage[];
  };
  const places = (meta?.compaction_events ?? []).flatMap(({ message }) => message ?? []);
  const compactions = places.map((place) => canonical(messages.slice(0, place)).length);
  return { messages: canonical(messages), compactions };
}

function canonical(messages: readonly RecordedMessage[]): Message[] {
  return messages.flatMap(({ role, content }) => {
    const blocks =
      typeof content === 'string' ? [text(content)] : content.flatMap((block) => blockOf(block));
    if (blocks.length === 0) return [];
    return [role === 'assistant' ? assistant(...blocks) : user(...blocks)];
  });
}

function blockOf(block: RecordedBlock): ContentBlock[] {
  if (block.type === 'text') return block.text?.trim() ? [text(block.text)] : [];
  if (block.type === 'tool_use') return [call(block.id ?? '', block.name ?? '', block.input)];
  if (block.type !== 'tool_result') return [];
  const { content = '' } = block;
  const body =
    typeof content === 'string' ? content : content.map((part) => part.text ?? '').join('\n');
  return [result(block.tool_use_id ?? '', body.trim() === '' ? '' : body, block.is_error === true)];
}
