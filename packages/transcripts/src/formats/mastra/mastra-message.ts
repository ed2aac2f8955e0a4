import type { Message, Role } from '@ctx/core';
import { fieldOf, isList, isRecord, type JsonRecord, timeAt, withoutKeys } from '../../values.ts';
import { mirroredKeys, mirrorsOf, mirrorValues } from '../ai-sdk/ui-head.ts';
import { readUiMessage } from '../ai-sdk/ui-message-read.ts';
import { type UiDraft, uiDraftsOf } from '../ai-sdk/ui-message-write.ts';
import { invocationLayout, type ToolLayout } from '../ai-sdk/ui-part.ts';
import { ignoreLoss, type NoteLoss } from '../shared/note-loss.ts';

const format = 'mastra';
/** Mastra knows failed calls, which version 4 of the AI SDK does not. */
const invocation: ToolLayout = { ...invocationLayout, errorState: 'output-error' };
const roles: ReadonlyMap<unknown, Role> = new Map<unknown, Role>([
  ['user', 'user'],
  ['assistant', 'assistant'],
  ['system', 'system'],
]);

/**
 * Turns one message of Mastra's storage (content of format 2) into canonical messages: an assistant message per step, and a user
 * message with the results of its calls. None where the value is no such message.
 * {@link toMastra} gives an equal value back. Calls without a result stay open: `repairMessages` answers them.
 */
export function fromMastra(value: unknown): Message[] {
  if (!isRecord(value)) return [];
  const role = roles.get(fieldOf(value, 'role'));
  const content = fieldOf(value, 'content');
  if (role === undefined || !isRecord(content) || !isList(content['parts'])) return [];
  const { parts } = content;
  const mirrors = mirrorsOf(content, parts);
  const fields = withoutKeys(value, ['role', 'content']);
  const inner = withoutKeys(content, ['parts', ...mirroredKeys(mirrors)]);
  return readUiMessage({ format, role, parts, kept: { fields, inner, mirrors } });
}

/**
 * Turns canonical messages into messages of Mastra's storage: an answer with all its steps is one, each result stands in the
 * part of its call. Messages from elsewhere follow the one before by a millisecond, the first stands at the epoch.
 * What was read comes out equal. What the format cannot hold is left out and noted.
 */
export function toMastra(messages: readonly Message[], note: NoteLoss = ignoreLoss): JsonRecord[] {
  const drafts = uiDraftsOf(messages, { format, part: 'invocation', invocation, note });
  let before = -1;
  return drafts.map((draft, index) => {
    const record = writeDraft(draft, { index, at: before + 1 });
    before = timeAt(record, 'createdAt') ?? before;
    return record;
  });
}

function writeDraft({ role, parts, kept }: UiDraft, { index, at }: Place): JsonRecord {
  if (kept === undefined) {
    const createdAt = new Date(at).toISOString();
    return { id: `msg-${index}`, role, createdAt, content: { format: 2, parts } };
  }
  const { fields, inner, mirrors } = kept;
  const repeated = isRecord(mirrors) ? mirrorValues(mirrors, parts) : {};
  const content = { ...(isRecord(inner) ? inner : {}), parts, ...repeated };
  return { role, ...(isRecord(fields) ? fields : {}), content };
}

interface Place {
  readonly index: number;
  /** ms since the epoch, where the message says nothing of its own. */
  readonly at: number;
}
