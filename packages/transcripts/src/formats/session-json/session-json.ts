import type { Message } from '@ctx/core';
import type {
  DetectionHead,
  EventDraft,
  FormatEvidence,
  TranscriptFormat,
} from '../../transcript.ts';
import {
  defined,
  fieldOf,
  isList,
  isRecord,
  type JsonRecord,
  textAt,
  withoutKeys,
} from '../../values.ts';
import { documentFormat } from '../shared/document-format.ts';
import { exactCodec } from '../shared/exact-codec.ts';
import type { NoteLoss } from '../shared/note-loss.ts';

const name = 'session-json';

/** Fields that hold credentials: they are never taken over. */
const credentials = new Set(['oauth_tokens', 'headers', 'cookies']);

const codec = exactCodec({ format: name, read: readEntry, write: writeEntries });

const parts = documentFormat({
  name,
  detect: detectSession,
  createCodec: (note) => ({
    lists: { fields: ['recent_history'], messageKey: 'role' },
    readField: (field) => {
      if (!credentials.has(field)) return undefined;
      note(`dropped ${field}`);
      return { kind: 'meta', extra: { dropped: true } };
    },
    readMessage: (value) => codec.read(value).map((message) => eventOf(message, value)),
  }),
  writer: { isBareList: false, listField: 'recent_history', writeMessages: codec.write },
});

/**
 * One session as a JSON document: `session_id`, `recent_history`, facts, tasks and a summary.
 * Written with two spaces, known fields first and in their order, so that equal sessions are equal bytes.
 */
export const sessionJsonFormat: TranscriptFormat = {
  ...parts,
  write: async (events, options) => {
    const bytes = (await parts.write?.(events, options)) ?? new Uint8Array();
    const written: unknown = JSON.parse(new TextDecoder().decode(bytes));
    const whole = isRecord(written) ? written : { recent_history: written };
    const document = inOrder(whole, options.sessionId);
    return new TextEncoder().encode(`${JSON.stringify(document, undefined, 2)}\n`);
  },
};

/** Times are in seconds, and equal ones are common: the order is that of the list. */
function eventOf(message: Message, value: unknown): EventDraft {
  const seconds = isRecord(value) ? fieldOf(value, 'timestamp') : undefined;
  const at = typeof seconds === 'number' ? Math.round(seconds * 1000) : undefined;
  return { kind: 'message', message, ...defined({ at }) };
}

/** Tools have no call ids here: what they said is text of the user's side, and remembers its role. */
function readEntry(value: unknown): readonly Message[] {
  if (!isRecord(value)) return [];
  const role = textAt(value, 'role');
  const content = fieldOf(value, 'content');
  if (role === undefined || !Object.hasOwn(value, 'content')) return [];
  const isText = typeof content === 'string';
  const text = isText ? content : JSON.stringify(content);
  const fields = withoutKeys(value, ['role', 'content']);
  const extra = {
    format: name,
    role,
    ...(isText ? {} : { form: 'json' }),
    ...(fields === undefined ? {} : { fields }),
  };
  const isKnown = role === 'assistant' || role === 'system';
  return [{ role: isKnown ? role : 'user', content: [{ type: 'text', text }], extra }];
}

function writeEntries(messages: readonly Message[], note: NoteLoss): readonly unknown[] {
  return messages.map((message) => writeEntry(message, note));
}

function writeEntry({ role, content, extra }: Message, note: NoteLoss): JsonRecord {
  const own = extra?.format === name ? extra : undefined;
  const text = content.map((block) => textOf(block, note)).join('\n');
  const isTool = content.some((block) => block.type === 'tool_result');
  const spoken = own?.['role'] ?? (isTool ? 'tool' : role);
  const value: unknown = own?.['form'] === 'json' ? JSON.parse(text) : text;
  const { timestamp, ...rest } = own?.fields ?? {};
  return { ...defined({ timestamp }), role: spoken, content: value, ...rest };
}

/** Calls and results have no place of their own: they stay as text. */
function textOf(block: Message['content'][number], note: NoteLoss): string {
  if (block.type === 'text') return block.text;
  if (block.type === 'tool_result') {
    note('tool_result as text');
    return block.content.map((part) => textOf(part, note)).join('\n');
  }
  note(block.type === 'opaque' ? `block ${block.format}` : 'tool_use as text');
  return block.type === 'tool_use' ? JSON.stringify({ name: block.name, input: block.input }) : '';
}

const fieldOrder = [
  'session_id',
  'system_state',
  'facts',
  'recent_history',
  'long_term_summary',
  'active_tasks',
  'tool_stats',
  'last_known_environment',
  'token_usage',
];

function inOrder(document: JsonRecord, sessionId: string | undefined): JsonRecord {
  const known = fieldOrder.filter((field) => Object.hasOwn(document, field));
  const rest = Object.keys(document).filter((field) => !fieldOrder.includes(field));
  const entries = [...known, ...rest].map((field): [string, unknown] => [field, document[field]]);
  const named = sessionId !== undefined && !Object.hasOwn(document, 'session_id');
  return { ...(named ? { session_id: sessionId } : {}), ...Object.fromEntries(entries) };
}

function detectSession({ document }: DetectionHead): FormatEvidence | undefined {
  if (!isRecord(document) || !Object.hasOwn(document, 'session_id')) return undefined;
  if (isList(fieldOf(document, 'recent_history'))) {
    return { score: 92, reason: 'session_id and recent_history' };
  }
  const others = fieldOrder.slice(1).filter((field) => Object.hasOwn(document, field));
  return others.length > 1
    ? { score: 85, reason: `session_id beside ${others.join(', ')}` }
    : undefined;
}
