import type { ContentBlock, Message, ResultBlock } from '@ctx/core';
import fc from 'fast-check';

const anyText = fc.string({ unit: 'binary', maxLength: 8 }).filter((text) => text.trim() !== '');
const anyTextBlock = anyText.map((text) => ({ type: 'text' as const, text }));
const anyInput = fc
  .dictionary(fc.constantFrom('path', 'a b', '__proto__'), fc.jsonValue({ maxDepth: 1 }))
  .map((input): unknown => JSON.parse(JSON.stringify(input)));
const anyCall = fc.record({
  name: fc.constantFrom('read', 'get-weather', 'mcp__a-b__c', 'invocation'),
  input: anyInput,
  result: fc.array(anyTextBlock, { maxLength: 3 }),
  isError: fc.boolean(),
});

interface Turn {
  readonly asked: readonly ContentBlock[];
  readonly said: readonly ContentBlock[];
  readonly calls: readonly CallOfTurn[];
  /** Whether the last call has no result. */
  readonly isInterrupted: boolean;
}

interface CallOfTurn {
  readonly name: string;
  readonly input: unknown;
  readonly result: readonly ResultBlock[];
  readonly isError: boolean;
}

const anyTurn: fc.Arbitrary<Turn> = fc.record({
  asked: fc.array(anyTextBlock, { maxLength: 2 }),
  said: fc.array(anyTextBlock, { maxLength: 2 }),
  calls: fc.array(anyCall, { maxLength: 3 }),
  isInterrupted: fc.boolean(),
});

function messagesOfTurn(turn: Turn, at: number): Message[] {
  const calls = turn.calls.map(({ name, input }, index): ContentBlock => {
    return { type: 'tool_use', id: `call-${at}-${index}`, name, input };
  });
  const results = turn.calls.map(({ result, isError }, index): ContentBlock => {
    const toolUseId = `call-${at}-${index}`;
    return { type: 'tool_result', toolUseId, content: result, ...(isError ? { isError } : {}) };
  });
  const messages: Message[] = [
    { role: 'user', content: turn.asked },
    { role: 'assistant', content: [...turn.said, ...calls] },
    { role: 'user', content: turn.isInterrupted ? results.slice(0, -1) : results },
  ];
  return messages.filter(({ content }) => content.length > 0);
}

/** Any history of canonical messages as a session leaves it: parallel calls, failures, calls that were never answered. */
export const anyHistory: fc.Arbitrary<readonly Message[]> = fc
  .array(anyTurn, { maxLength: 5 })
  .map((turns) => turns.flatMap(messagesOfTurn));

/** What a format may lose, for {@link essenceOf}. */
export interface Losses {
  /** It cannot say that a result is an error. */
  readonly errors?: boolean;
  /** It holds one text per result. */
  readonly resultParts?: boolean;
}

/** What must come back of a history: blocks in order, whatever the messages they were cut into and the extra. */
export function essenceOf(messages: readonly Message[], losses: Losses = {}): unknown[] {
  const joined: { role: string; content: unknown[] }[] = [];
  for (const { role, content } of messages) {
    const last = joined.at(-1);
    const blocks = content.map((block) => essenceOfBlock(block, losses));
    if (last?.role === role) last.content.push(...blocks);
    else joined.push({ role, content: blocks });
  }
  return joined;
}

function essenceOfBlock(block: ContentBlock, losses: Losses): unknown {
  if (block.type !== 'tool_result') return { ...block, extra: undefined };
  const texts = block.content.map((part) => (part.type === 'text' ? part.text : part.format));
  return {
    ...block,
    extra: undefined,
    content: losses.resultParts === true ? texts.join('\n') : texts,
    isError: losses.errors === true ? undefined : block.isError === true,
  };
}
