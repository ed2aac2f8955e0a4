import { at, textAt } from '../json/values.ts';

function itemsOf(body: unknown): readonly unknown[] {
  const input = at(body, 'input');
  return Array.isArray(input) ? input : [];
}

/** The items of a request. */
export function responsesPrefixOf(body: unknown): readonly string[] {
  return itemsOf(body).map((item) => JSON.stringify(item));
}

const roles: ReadonlySet<string | undefined> = new Set([
  'user',
  'assistant',
  'developer',
  'system',
]);

const types: ReadonlySet<string | undefined> = new Set([
  'message',
  'reasoning',
  'function_call',
  'function_call_output',
  'custom_tool_call',
  'custom_tool_call_output',
  'additional_tools',
  'compaction',
  'compaction_trigger',
]);

/** Whether a value is text, or parts that such an item may hold. */
function isContent(value: unknown, kind: 'input' | 'output'): boolean {
  if (typeof value === 'string') return true;
  if (!Array.isArray(value) || value.length === 0) return false;
  return value.every((part) => textAt(part, 'type')?.startsWith(`${kind}_`) === true);
}

function problemOfItem(item: unknown): string | undefined {
  const type = textAt(item, 'type') ?? 'message';
  if (!types.has(type)) return `Invalid value: '${type}'`;
  if (type === 'message') {
    const role = textAt(item, 'role');
    if (!roles.has(role)) return `Invalid role ${String(role)}`;
    const kind = role === 'assistant' ? 'output' : 'input';
    if (!isContent(at(item, 'content'), kind))
      return `Invalid content of a message of ${String(role)}`;
  }
  if (type === 'function_call' && textAt(item, 'arguments') === undefined)
    return 'arguments must be a string';
  if (type === 'custom_tool_call' && textAt(item, 'input') === undefined)
    return 'input must be a string';
  if (type.endsWith('_output') && !isContent(at(item, 'output'), 'input'))
    return `Invalid ${type}.output`;
  return undefined;
}

function problemOfPairs(items: readonly unknown[]): string | undefined {
  const open = new Set<string>();
  for (const item of items) {
    const type = textAt(item, 'type') ?? 'message';
    const id = textAt(item, 'call_id') ?? '';
    if (type.endsWith('_call')) open.add(`${type} ${id}`);
    if (type.endsWith('_output') && !open.delete(`${type.slice(0, -'_output'.length)} ${id}`)) {
      return `No tool call found for function call output with call_id ${id}.`;
    }
  }
  const [missing] = open;
  return missing === undefined ? undefined : `No tool output found for ${missing}.`;
}

function isOfModel(item: unknown): boolean {
  return (
    textAt(item, 'type')?.endsWith('_call') === true ||
    textAt(item, 'role') === 'assistant' ||
    textAt(item, 'type') === 'reasoning'
  );
}

/** What the provider would refuse of a request; `undefined` if it takes it. `sealed`: the reasoning that it made, by its encrypted content. */
export function responsesProblemOf(
  body: unknown,
  isSealed: (content: string) => boolean,
): string | undefined {
  const items = itemsOf(body);
  const ids = items.flatMap((item) => textAt(item, 'id') ?? []);
  const twice = ids.find((id, index) => ids.indexOf(id) < index);
  if (twice !== undefined) return `Duplicate item found with id ${twice}.`;
  for (const [index, item] of items.entries()) {
    const problem = problemOfItem(item);
    if (problem !== undefined) return `input[${String(index)}]: ${problem}`;
    if (textAt(item, 'type') !== 'reasoning') continue;
    const content = textAt(item, 'encrypted_content') ?? '';
    if (!isSealed(content)) return 'The encrypted content could not be verified.';
    if (!isOfModel(items[index + 1])) {
      return `Item '${String(textAt(item, 'id'))}' of type 'reasoning' was provided without its required following item.`;
    }
  }
  return problemOfPairs(items);
}
