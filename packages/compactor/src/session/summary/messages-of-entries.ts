import type { ContentBlock, Message, ToolUseBlock } from '@ctx/core';
import type { HistoryEntry } from '@ctx/store';
import { readOwn, readOwnText } from '../../reading/read-own.ts';
import { isToolEntry, isUserEntry } from '../cut-places.ts';

/** The arguments of a call, given as JSON or as data. */
function inputOf(given: unknown): unknown {
  if (typeof given !== 'string') return given ?? {};
  try {
    return JSON.parse(given);
  } catch {
    return given;
  }
}

/** A call as chat histories note it: `{ id, function: { name, arguments } }`, or with name and arguments beside the id. */
function callOf(noted: unknown): ToolUseBlock[] {
  const inner = readOwn(noted, 'function') ?? noted;
  const [id, name] = [readOwnText(noted, ['id']), readOwnText(inner, ['name'])];
  if (id === undefined || name === undefined) return [];
  const input = inputOf(readOwn(inner, 'arguments') ?? readOwn(inner, 'input'));
  return [{ type: 'tool_use', id, name, input }];
}

function callsOfEntry(entry: HistoryEntry): ToolUseBlock[] {
  const noted = readOwn(entry, 'tool_calls');
  return Array.isArray(noted) ? noted.flatMap((one) => callOf(one)) : [];
}

/** A call with the entry that answers it. */
interface Answered {
  readonly call: ToolUseBlock;
  readonly answer: HistoryEntry;
}

/** The calls of an entry that the entries right after it answer; each id is taken once. */
function answeredCalls(
  entries: readonly HistoryEntry[],
  index: number,
  taken: Set<string>,
): Answered[] {
  const entry = entries[index];
  const calls = entry === undefined ? [] : callsOfEntry(entry);
  const answered: Answered[] = [];
  for (let next = index + 1; calls.length > 0; next += 1) {
    const answer = entries[next];
    if (answer === undefined) break;
    const id = isToolEntry(answer) ? readOwnText(answer, ['tool_call_id']) : undefined;
    const call = calls.find((one) => one.id === id);
    if (call === undefined || taken.has(call.id)) break;
    taken.add(call.id);
    answered.push({ call, answer });
  }
  return answered;
}

function textPart(text: string): { readonly type: 'text'; readonly text: string }[] {
  return text === '' ? [] : [{ type: 'text', text }];
}

function resultOf(toolUseId: string, { content }: HistoryEntry): ContentBlock {
  return { type: 'tool_result', toolUseId, content: textPart(content) };
}

/** An entry of the assistant: what it said beside its calls, the calls, and their results. */
function calling({ content }: HistoryEntry, answered: readonly Answered[]): Message[] {
  const written = new Set(answered.map(({ call }) => `${call.name} ${JSON.stringify(call.input)}`));
  // A line that only writes a call down says nothing more.
  const said = content.split('\n').filter((line) => !written.has(line));
  const calls = answered.map(({ call }) => call);
  const results = answered.map(({ call, answer }) => resultOf(call.id, answer));
  return [
    { role: 'assistant', content: [...textPart(said.join('\n').trim()), ...calls] },
    { role: 'user', content: results },
  ];
}

/** The result of a tool, after a call of its own where the history names none. */
function addResult(messages: Message[], entry: HistoryEntry, number: number): void {
  const id = `entry-${String(number)}`;
  const name = readOwnText(entry, ['name']) ?? 'tool';
  const call: ContentBlock = { type: 'tool_use', id, name, input: {} };
  const last = messages.at(-1);
  if (last?.role === 'assistant') {
    messages.splice(-1, 1, { ...last, content: [...last.content, call] });
  } else messages.push({ role: 'assistant', content: [call] });
  messages.push({ role: 'user', content: [resultOf(id, entry)] });
}

function isAssistantEntry({ role }: HistoryEntry): boolean {
  return role.toLowerCase() === 'assistant';
}

/**
 * The entries of a session as messages, for summarisers that read messages. Calls that an entry notes (`tool_calls`) are calls where
 * the entries after it answer them (`tool_call_id`). What is neither the user's nor the assistant's counts as the result of a tool:
 * nobody vouches for it.
 * Pure. Each result follows its call; an entry without content and calls adds nothing. Makes one pass.
 */
export function messagesOfEntries(entries: readonly HistoryEntry[]): readonly Message[] {
  const messages: Message[] = [];
  const taken = new Set<string>();
  for (let index = 0; index < entries.length; index += 1) {
    const entry = entries[index];
    if (entry === undefined) break;
    const answered = isAssistantEntry(entry) ? answeredCalls(entries, index, taken) : [];
    if (answered.length > 0) {
      messages.push(...calling(entry, answered));
      index += answered.length;
    } else if (entry.content.trim() !== '') addPlain(messages, entry, index);
  }
  return messages;
}

function addPlain(messages: Message[], entry: HistoryEntry, number: number): void {
  const isAssistant = isAssistantEntry(entry);
  if (isToolEntry(entry) || !(isAssistant || isUserEntry(entry))) {
    addResult(messages, entry, number);
    return;
  }
  const role = isAssistant ? 'assistant' : 'user';
  messages.push({ role, content: textPart(entry.content) });
}
