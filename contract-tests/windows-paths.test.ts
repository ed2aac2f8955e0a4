import type { Message } from '@ctx/core';
import { openSessionWindow } from '@ctx/truncation';
import { describe, expect, it } from 'vitest';

const source = Array.from({ length: 120 }, (_, line) => `export const rate${line} = ${line};`);

function read(id: string, path: string, text: string): Message[] {
  return [
    {
      role: 'assistant',
      content: [{ type: 'tool_use', id, name: 'Read', input: { file_path: path } }],
    },
    {
      role: 'user',
      content: [{ type: 'tool_result', toolUseId: id, content: [{ type: 'text', text }] }],
    },
  ];
}

/** What is shown of a second read, after a first one whose file has changed by a line since. */
async function secondRead(first: string, second: string, lineEnd: string): Promise<string> {
  const window = await openSessionWindow({ sessionId: 'w', windowTokens: 200_000, fixedTokens: 0 });
  const changed = source.with(60, 'export const rate60 = 61;');
  const start: Message = { role: 'user', content: [{ type: 'text', text: 'Mend the rate' }] };
  const messages = [
    start,
    ...read('c1', first, source.join(lineEnd)),
    ...read('c2', second, changed.join(lineEnd)),
  ];
  for (const message of messages) await window.insert(message);
  const shown = (await window.request()).messages.at(-1);
  await window.close();
  return JSON.stringify(shown?.content);
}

describe('a file of Windows that is read again', () => {
  const spellings: readonly (readonly [string, string])[] = [
    [String.raw`C:\repo\src\rates.ts`, String.raw`C:\repo\src\rates.ts`],
    [String.raw`C:\repo\src\rates.ts`, 'C:/repo/src/rates.ts'],
    [String.raw`C:\repo\src\rates.ts`, String.raw`src\rates.ts`],
    [String.raw`C:\repo\src\rates.ts`, String.raw`c:\repo\src\rates.ts`],
  ];

  it.each(spellings)('shows only what changed: %s, then %s', async (first, second) => {
    for (const lineEnd of ['\r\n', '\n']) {
      const shown = await secondRead(first, second, lineEnd);
      expect(shown).toContain('rate60 = 61');
      expect(shown).not.toContain('rate119 = 119');
    }
  });
});
