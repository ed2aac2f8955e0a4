import { isRecord } from '@ctx/core/encoding';
import { at, textAt } from '../json/values.ts';

/** The blocks of a request in the order in which a provider reads them, without marks for the cache. */
export type Prefix = readonly string[];

function without(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(without);
  if (!isRecord(value)) return value;
  const { cache_control: _mark, ...rest } = value;
  return Object.fromEntries(Object.entries(rest).map(([name, inner]) => [name, without(inner)]));
}

export function blocksOf(content: unknown): readonly unknown[] {
  if (typeof content === 'string') return [{ type: 'text', text: content }];
  return Array.isArray(content) ? content : [];
}

function messagesOf(body: unknown): readonly unknown[] {
  const messages = at(body, 'messages');
  return Array.isArray(messages) ? messages : [];
}

/** The messages of a request, block by block. */
export function prefixOf(body: unknown): Prefix {
  return messagesOf(body).flatMap((message) =>
    blocksOf(at(message, 'content')).map((block) =>
      JSON.stringify([textAt(message, 'role'), without(block)]),
    ),
  );
}

function marksIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(marksIn);
  if (!isRecord(value)) return [];
  const own = isRecord(value['cache_control'])
    ? [textAt(value['cache_control'], 'ttl') ?? '5m']
    : [];
  return [...own, ...marksIn(value['content'])];
}

function problemOfPairs(messages: readonly unknown[]): string | undefined {
  let open = new Set<string>();
  for (const [index, message] of messages.entries()) {
    const blocks = blocksOf(at(message, 'content'));
    const role = textAt(message, 'role');
    if (blocks.length === 0) return `messages.${String(index)}: content must not be empty`;
    if (blocks.some((block) => textAt(block, 'text')?.trim() === '')) {
      return `messages.${String(index)}: text content blocks must be non-empty`;
    }
    const results = blocks.filter((block) => textAt(block, 'type') === 'tool_result');
    if (role !== 'system') {
      for (const result of results) {
        const id = textAt(result, 'tool_use_id') ?? '';
        if (!open.delete(id)) {
          return `messages.${String(index)}: unexpected tool_use_id ${id} in tool_result`;
        }
      }
      const [missing] = open;
      if (missing !== undefined) return `tool_use ${missing} without tool_result immediately after`;
    }
    const calls = blocks.filter((block) => textAt(block, 'type') === 'tool_use');
    open = new Set([...open, ...calls.map((call) => textAt(call, 'id') ?? '')]);
  }
  return undefined;
}

/** The first tool that a result refers to although the request does not define it. */
function undefinedReference(body: unknown, messages: readonly unknown[]): string | undefined {
  const tools = blocksOf(at(body, 'tools'));
  const names = new Set(tools.map((tool) => textAt(tool, 'name')));
  const results = messages.flatMap((message) => blocksOf(at(message, 'content')));
  const references = results.flatMap((result) => blocksOf(at(result, 'content')));
  return references
    .flatMap((block) => textAt(block, 'tool_name') ?? [])
    .find((name) => !names.has(name));
}

/** What the provider would refuse of a request; `undefined` if it takes it. `signed`: the thinking that it made, as JSON. */
export function problemOf(body: unknown, signed: ReadonlySet<string>): string | undefined {
  const messages = messagesOf(body);
  if (textAt(messages[0], 'role') !== 'user') return 'first message must use the user role';
  const marks = [
    ...marksIn(at(body, 'tools')),
    ...marksIn(at(body, 'system')),
    ...marksIn(messages),
  ];
  if (marks.length > 4)
    return `a maximum of 4 blocks with cache_control, found ${String(marks.length)}`;
  if (marks.lastIndexOf('1h') > marks.indexOf('5m') && marks.includes('5m')) {
    return 'a ttl=1h cache_control block must not come after a ttl=5m one';
  }
  for (const block of messages.flatMap((message) => blocksOf(at(message, 'content')))) {
    const type = textAt(block, 'type');
    if (type !== 'thinking' && type !== 'redacted_thinking') continue;
    if (!signed.has(JSON.stringify(block))) return 'thinking blocks cannot be modified';
  }
  const reference = undefinedReference(body, messages);
  if (reference !== undefined) return `Tool reference '${reference}' not found in available tools`;
  return problemOfPairs(messages);
}
