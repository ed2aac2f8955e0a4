import type { WireBlock, WireMessage, WireRequest } from './scripted-server.ts';

function blocksOf({ content }: WireMessage): readonly WireBlock[] {
  return typeof content === 'string' ? [{ type: 'text', text: content }] : content;
}

/** The API takes messages of one role that follow each other for one. */
function turnsOf(messages: readonly WireMessage[]): WireMessage[] {
  const turns: { role: string; content: readonly WireBlock[] }[] = [];
  for (const message of messages) {
    const last = turns.at(-1);
    if (last?.role === message.role) last.content = [...last.content, ...blocksOf(message)];
    else turns.push({ role: message.role, content: blocksOf(message) });
  }
  return turns;
}

function idsIn(blocks: readonly WireBlock[], type: string): string[] {
  return blocks.flatMap((block) =>
    block.type === type ? [block.id ?? block.tool_use_id ?? ''] : [],
  );
}

/** Each call has its result at the beginning of the next message, and nothing else has. */
function problemsOfCalls(messages: readonly WireMessage[]): string[] {
  return messages.flatMap((message, index) => {
    const calls = idsIn(blocksOf(message), 'tool_use');
    const next = messages[index + 1];
    const answers = next === undefined ? [] : blocksOf(next);
    const results = idsIn(answers.slice(0, calls.length), 'tool_result');
    const found = calls.toSorted().join() === results.toSorted().join();
    const late = idsIn(answers.slice(calls.length), 'tool_result');
    return [
      ...(found ? [] : [`message ${String(index)}: calls without a result`]),
      ...(late.length === 0 ? [] : [`message ${String(index + 1)}: results without a call`]),
    ];
  });
}

function marksIn(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  const own = Object.hasOwn(value, 'cache_control') ? 1 : 0;
  return Object.values(value).reduce((sum: number, each) => sum + marksIn(each), own);
}

/** What Anthropic's API would refuse in a request; empty where it takes it. */
export function problemsOf(request: WireRequest): readonly string[] {
  const { messages } = request;
  const empty = messages.filter((message) => blocksOf(message).length === 0);
  return [
    ...(messages[0]?.role === 'user' ||
    blocksOf(messages[0] ?? { role: '', content: [] })[0]?.type === 'compaction'
      ? []
      : ['the first message is not of the user']),
    ...empty.map(() => 'a message without content'),
    ...problemsOfCalls(turnsOf(messages)),
    ...(marksIn(request) <= 4 ? [] : ['more than 4 marks for the cache']),
  ];
}

/** A message as the provider's cache compares it: without marks, a bare text as a block. */
export function bytesOfMessage(message: WireMessage): string {
  const plain = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(plain);
    if (typeof value !== 'object' || value === null) return value;
    const kept = Object.entries(value).filter(([key]) => key !== 'cache_control');
    return Object.fromEntries(kept.map(([key, each]) => [key, plain(each)]));
  };
  return JSON.stringify({ role: message.role, content: plain(blocksOf(message)) });
}
