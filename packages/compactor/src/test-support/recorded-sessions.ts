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

function rootFolder(): string {
  let folder = import.meta.dirname;
  while (!existsSync(join(folder, 'pnpm-workspace.yaml')) && dirname(folder) !== folder) {
    folder = dirname(folder);
  }
  return resolve(folder);
}

/** The first `perSet` recordings of each set, by name; none where there is no folder. */
export function recordedSessions(perSet: number): { name: string; messages: Message[] }[] {
  if (!existsSync(recordingsFolder)) return [];
  return readdirSync(recordingsFolder).flatMap((set) =>
    readdirSync(join(recordingsFolder, set))
      .filter((file) => file.endsWith('.json'))
      .sort()
      .slice(0, perSet)
      .map((file) => ({
        name: `${set}/${file}`,
        messages: readMessages(join(recordingsFolder, set, file)),
      })),
  );
}

function readMessages(path: string): Message[] {
  const { messages } = JSON.parse(readFileSync(path, 'utf8')) as {
    readonly messages: readonly RecordedMessage[];
  };
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
