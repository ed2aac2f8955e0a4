import type { ContentBlock, Message } from '@ctx/core';
import { describeCall } from '../../calls/describe-call.ts';
import { openWindow, type Window, type WindowOptions } from '../window.ts';
import type { WindowEvent } from '../window-event.ts';
import { type WindowMode, type WindowPolicy, windowPolicy } from '../window-policy.ts';

/** A token for each four characters of JSON, and four for the message. */
export function tokensOf(message: Message): number {
  const size = (block: ContentBlock): number => Math.ceil(JSON.stringify(block).length / 4);
  return message.content.reduce((sum, block) => sum + size(block), 4);
}

/** What a test opens a window with. */
export interface TestWindowOptions {
  readonly mode?: WindowMode;
  readonly changes?: Partial<WindowPolicy>;
  readonly windowTokens?: number;
  readonly fixedTokens?: number;
  readonly namesMessages?: boolean;
}

export interface TestWindow {
  readonly window: Window;
  readonly events: WindowEvent[];
  readonly options: WindowOptions;
}

/** A window of a test, Anthropic prices of five minutes. */
export function testWindow(given: TestWindowOptions = {}): TestWindow {
  const { mode = 'default', changes = {}, windowTokens = 200_000, fixedTokens = 100 } = given;
  const events: WindowEvent[] = [];
  const options: WindowOptions = {
    policy: windowPolicy(mode, changes),
    windowTokens,
    fixedTokens,
    tokensOf,
    previewText: ({ text, pointer, previewTokens }) =>
      `${text.slice(0, previewTokens)}\n[preview, whole at ${pointer}]`,
    describeCall,
    price: { read: 0.1, write: 1.25, lifetimeMs: 300_000 },
    namesMessages: given.namesMessages ?? false,
    sharesMessages: true,
  };
  const window = openWindow({ ...options, onEvent: (event) => void events.push(event) });
  return { window, events, options };
}

export const user = (text: string): Message => ({
  role: 'user',
  content: [{ type: 'text', text }],
});

export const assistant = (text: string): Message => ({
  role: 'assistant',
  content: [{ type: 'text', text }],
});

export const call = (id: string, name: string, input: unknown): Message => ({
  role: 'assistant',
  content: [{ type: 'tool_use', id, name, input }],
});

export const result = (toolUseId: string, text: string, isError?: boolean): Message => ({
  role: 'user',
  content: [
    {
      type: 'tool_result',
      toolUseId,
      content: [{ type: 'text', text }],
      ...(isError === undefined ? {} : { isError }),
    },
  ],
});

/** Text of so many tokens, about; different for each seed. */
export function textOf(tokens: number, seed = ''): string {
  const line = `line of ${seed} text, `;
  const lines = Math.ceil((tokens * 4) / (line.length + 6));
  return Array.from({ length: lines }, (_, index) => `${line}${String(index)}`).join('\n');
}

/** Inserts a call of a tool and its result, with a pointer. */
export function insertPair(
  window: Window,
  id: string,
  { name = 'Grep', input = {}, text }: { name?: string; input?: unknown; text: string },
): void {
  window.insert(call(id, name, input));
  window.insert(result(id, text), { [id]: `ctx://outputs/${id}` });
}
