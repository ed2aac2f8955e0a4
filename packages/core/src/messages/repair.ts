import type { ContentBlock, Message } from '../records/message.ts';
import { chooseCalls } from './choose-calls.ts';
import { placeResults } from './place-results.ts';
import type { Draft, NoteRepair, Repair, RepairReport } from './repair-report.ts';
import { isEmptyText, validateMessages } from './validate.ts';

/** Text of the user message that is put before a history that begins with the assistant. */
export const addedUserText = '[Start of the conversation is missing]';

/**
 * Repairs a history so that every provider accepts it: a missing result gets a placeholder, an orphan becomes text, a late
 * result moves to its call, of duplicates the last wins (a call id used again for another answered call gets a suffix),
 * empty content is dropped, and a history that begins with the assistant gets a user message first.
 *
 * Pure: the input is never mutated, and unchanged messages and opaque blocks are the same objects. The result has no
 * violation, and a second run changes nothing.
 */
export function repairMessages(messages: readonly Message[]): RepairReport {
  if (validateMessages(messages).length === 0) return { messages, repairs: [] };
  const repairs: Repair[] = [];
  const note: NoteRepair = (repair) => {
    repairs.push(repair);
  };
  const drafts = messages.map((message, messageIndex) => ({ message, messageIndex }));
  const chosen = chooseCalls(dropEmpty(drafts, note), note);
  const placed = placeResults(chosen, note).filter(({ message }) => message.content.length > 0);
  return { messages: startWithUser(placed, note), repairs };
}

/** Leaves out empty text, also inside results, and messages that hold nothing. */
function dropEmpty(drafts: readonly Draft[], note: NoteRepair): Draft[] {
  return drafts.flatMap(({ message, messageIndex }) => {
    const content = message.content.flatMap((block) => withoutEmptyText(block));
    const isUnchanged = content.every((block, index) => block === message.content[index]);
    if (isUnchanged && content.length === message.content.length && content.length > 0) {
      return [{ message, messageIndex }];
    }
    note({ kind: 'empty-content-dropped', messageIndex });
    return content.length === 0 ? [] : [{ message: { ...message, content }, messageIndex }];
  });
}

function withoutEmptyText(block: ContentBlock): ContentBlock[] {
  if (isEmptyText(block)) return [];
  if (block.type !== 'tool_result' || !block.content.some(isEmptyText)) return [block];
  return [{ ...block, content: block.content.filter((part) => !isEmptyText(part)) }];
}

function startWithUser(drafts: readonly Draft[], note: NoteRepair): Message[] {
  const messages = drafts.map((draft) => draft.message);
  const first = drafts.findIndex((draft) => draft.message.role !== 'system');
  const draft = drafts[first];
  if (draft?.message.role !== 'assistant') return messages;
  note({ kind: 'user-message-added', messageIndex: draft.messageIndex });
  const added: Message = { role: 'user', content: [{ type: 'text', text: addedUserText }] };
  return messages.toSpliced(first, 0, added);
}
