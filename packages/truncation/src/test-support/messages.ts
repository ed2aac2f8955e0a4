import type {
  ContentBlock,
  Message,
  ResultBlock,
  TextBlock,
  ToolResultBlock,
  ToolUseBlock,
} from '@ctx/core';

type OpaqueBlock = Extract<ContentBlock, { readonly type: 'opaque' }>;

/** Short ways to write a conversation down. */
export const text = (value: string): TextBlock => ({ type: 'text', text: value });

export const thinking = (value = 'hm'): OpaqueBlock => ({
  type: 'opaque',
  format: 'anthropic:thinking',
  data: { type: 'thinking', thinking: value, signature: 'c2ln' },
});

export const image = (): OpaqueBlock => ({
  type: 'opaque',
  format: 'anthropic:image',
  data: { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'iVBO' } },
});

export const call = (id: string, name = 'Bash', input: unknown = {}): ToolUseBlock => ({
  type: 'tool_use',
  id,
  name,
  input,
});

export const result = (
  id: string,
  content: string | readonly ResultBlock[] = 'done',
): ToolResultBlock => ({
  type: 'tool_result',
  toolUseId: id,
  content: typeof content === 'string' ? [text(content)] : content,
});

export const failed = (id: string, content: string): ToolResultBlock => ({
  ...result(id, content),
  isError: true,
});

const blocksOf = (content: readonly (string | ContentBlock)[]): ContentBlock[] =>
  content.map((block) => (typeof block === 'string' ? text(block) : block));

export const user = (...content: readonly (string | ContentBlock)[]): Message => ({
  role: 'user',
  content: blocksOf(content),
});

export const assistant = (...content: readonly (string | ContentBlock)[]): Message => ({
  role: 'assistant',
  content: blocksOf(content),
});

export const system = (value: string): Message => ({ role: 'system', content: [text(value)] });

/** `count` plain messages by turns, the user's first. */
export function alternating(count: number): Message[] {
  return Array.from({ length: count }, (_, index) =>
    index % 2 === 0 ? user(`words ${index}`) : assistant(`answer ${index}`),
  );
}

/** A task, then `steps` calls with their results. */
export function toolSession(steps: number): Message[] {
  const loop = Array.from({ length: steps }, (_, step) => [
    assistant(call(`c${step}`)),
    user(result(`c${step}`)),
  ]);
  return [user('task'), ...loop.flat()];
}

/** Freezes a value all the way down, so that a write to it fails. */
export function frozen<Value>(value: Value): Value {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    Object.values(value).forEach(frozen);
  }
  return value;
}

/** Every text that stands in a conversation. */
export function textsOf(messages: readonly Message[]): string[] {
  return messages.flatMap(({ content }) =>
    content.flatMap((block) => {
      if (block.type === 'text') return [block.text];
      if (block.type !== 'tool_result') return [];
      return block.content.flatMap((part) => (part.type === 'text' ? [part.text] : []));
    }),
  );
}
