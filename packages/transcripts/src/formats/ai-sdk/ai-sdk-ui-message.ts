import type { Message, Role } from '@ctx/core';
import { fieldOf, isList, isRecord, type JsonRecord, textAt, withoutKeys } from '../../values.ts';
import { ignoreLoss, type NoteLoss } from '../shared/note-loss.ts';
import { mirroredKeys, mirrorsOf, mirrorValues } from './ui-head.ts';
import { readUiMessage } from './ui-message-read.ts';
import { type UiDraft, uiDraftsOf } from './ui-message-write.ts';
import { invocationLayout } from './ui-part.ts';

const format = 'ai-sdk-ui';
const roles: ReadonlyMap<unknown, Role> = new Map<unknown, Role>([
  ['user', 'user'],
  ['assistant', 'assistant'],
  ['system', 'system'],
]);

/**
 * Turns one UIMessage of the AI SDK (5 to 7, or 4 with its tool invocations) into canonical messages: an assistant message per
 * step, and a user message with the results of its calls. None where the value is no such message.
 * {@link toAiSdkUi} gives an equal value back. Calls without a result stay open: `repairMessages` answers them.
 */
export function fromAiSdkUi(value: unknown): Message[] {
  if (!isRecord(value)) return [];
  const role = roles.get(fieldOf(value, 'role'));
  if (role === undefined) return [];
  const { parts, toolInvocations, content } = value;
  if (isList(parts)) {
    const mirrors = mirrorsOf(value, parts);
    const fields = withoutKeys(value, ['role', 'parts', ...mirroredKeys(mirrors)]);
    return readUiMessage({ format, role, parts, kept: { fields, mirrors } });
  }
  if (typeof content !== 'string') return [];
  const isUsable = isList(toolInvocations) && toolInvocations.every(isRecord);
  const invocations = isUsable ? toolInvocations : [];
  const fields = withoutKeys(value, ['role', 'content', ...(isUsable ? ['toolInvocations'] : [])]);
  const made = partsOfVersion4(content, invocations);
  return readUiMessage({ format, role, parts: made, kept: { fields, hasInvocations: isUsable } });
}

/** The parts that version 4 makes of a message without any: the text comes after the results, if they are all there. */
function partsOfVersion4(content: string, invocations: readonly JsonRecord[]): unknown[] {
  const texts = content === '' ? [] : [{ type: 'text', text: content }];
  const parts = invocations.map((toolInvocation) => ({ type: 'tool-invocation', toolInvocation }));
  const isOpen = invocations.some((invocation) => textAt(invocation, 'state') !== 'result');
  return isOpen ? [...texts, ...parts] : [...parts, ...texts];
}

/**
 * Turns canonical messages into UIMessages of the AI SDK: an answer with all its steps is one, each result stands in the part of
 * its call.
 * What was read comes out equal. What the format cannot hold is left out and noted.
 */
export function toAiSdkUi(messages: readonly Message[], note: NoteLoss = ignoreLoss): JsonRecord[] {
  const drafts = uiDraftsOf(messages, {
    format,
    part: 'named',
    invocation: invocationLayout,
    note,
  });
  return drafts.map((draft, index) => writeDraft(draft, index, note));
}

function writeDraft({ role, parts, kept }: UiDraft, index: number, note: NoteLoss): JsonRecord {
  if (kept === undefined) return { id: `msg-${index}`, role, parts };
  const fields = isRecord(kept['fields']) ? kept['fields'] : {};
  const mirrors = kept['mirrors'];
  if (isRecord(mirrors)) return { role, ...fields, parts, ...mirrorValues(mirrors, parts) };
  const made = mirrorValues({ content: 'all', invocations: true }, parts);
  const rest = parts.filter((part) => !isOfVersion4(part));
  if (rest.length > 0) note('parts that version 4 has no place for');
  const { content, toolInvocations } = made;
  const hasInvocations =
    kept['hasInvocations'] === true || (isList(toolInvocations) && toolInvocations.length > 0);
  return { role, ...fields, content, ...(hasInvocations ? { toolInvocations } : {}) };
}

function isOfVersion4(part: unknown): boolean {
  return isRecord(part) && (part['type'] === 'text' || part['type'] === 'tool-invocation');
}
