import { isRecord } from '@ctx/core/encoding';
import { at, textAt } from '../json/values.ts';

function messagesOf(body: unknown): readonly unknown[] {
  const messages = at(body, 'messages');
  return Array.isArray(messages) ? messages : [];
}

/** The messages of a request. */
export function chatPrefixOf(body: unknown): readonly string[] {
  return messagesOf(body).map((message) => JSON.stringify(message));
}

function callsOf(message: unknown): readonly unknown[] {
  const calls = at(message, 'tool_calls');
  return Array.isArray(calls) ? calls : [];
}

function problemOfContent(message: unknown): string | undefined {
  const content = at(message, 'content');
  const isAnswer = textAt(message, 'role') === 'assistant';
  if (typeof content === 'string') return undefined;
  if (Array.isArray(content) && content.length > 0) return undefined;
  return isAnswer && callsOf(message).length > 0 ? undefined : 'content must not be empty';
}

function problemOfCalls(message: unknown): string | undefined {
  const calls = at(message, 'tool_calls');
  if (Array.isArray(calls) && calls.length === 0) return "[] is too short - 'tool_calls'";
  const bad = callsOf(message).find(
    (call) =>
      textAt(call, 'type') !== 'function' ||
      textAt(call, 'function', 'arguments') === undefined ||
      textAt(call, 'function', 'name') === undefined,
  );
  return bad === undefined ? undefined : 'Invalid tool_calls';
}

const roles = new Set<string | undefined>(['system', 'developer', 'user', 'assistant', 'tool']);

/** What the provider would refuse of a request; `undefined` if it takes it. */
export function chatProblemOf(body: unknown): string | undefined {
  const open = new Set<string>();
  for (const [index, message] of messagesOf(body).entries()) {
    const role = textAt(message, 'role');
    const problem = problemOfContent(message) ?? problemOfCalls(message);
    if (!isRecord(message) || !roles.has(role)) return `messages.${String(index)}: Invalid role`;
    if (problem !== undefined) return `messages.${String(index)}: ${problem}`;
    if (role === 'tool') {
      if (!open.delete(textAt(message, 'tool_call_id') ?? '')) {
        return `messages.${String(index)}: role 'tool' must be a response to a preceding message with 'tool_calls'`;
      }
      continue;
    }
    if (open.size > 0) break;
    for (const call of callsOf(message)) open.add(textAt(call, 'id') ?? '');
  }
  const [missing] = open;
  if (missing === undefined) return undefined;
  return `An assistant message with 'tool_calls' must be followed by tool messages: ${missing}`;
}
