import type { ContentBlock, Message, ToolUseBlock } from '../records/message.ts';
import type { Draft, NoteRepair } from './repair-report.ts';
import { callsOf, endOfUserRun } from './unit.ts';

interface Occurrence {
  readonly draftIndex: number;
  readonly call: ToolUseBlock;
  readonly blockIndex: number;
  /** Whether a result with its id follows directly. */
  readonly isAnswered: boolean;
}

type Choice = { readonly action: 'drop' } | { readonly action: 'rename'; readonly id: string };

/**
 * Keeps calls in assistant messages only and makes their ids unique.
 *
 * Of several calls with one id the last wins, unless an earlier one was answered: that one stays, and later ones get a
 * suffix together with their results. A call outside an assistant message becomes text.
 */
export function chooseCalls(drafts: readonly Draft[], note: NoteRepair): Draft[] {
  const messages = drafts.map((draft) => draft.message);
  const choices = chooseOccurrences(findOccurrences(messages));
  let caller = 0;
  return drafts.map((draft, draftIndex) => {
    const isUser = draft.message.role === 'user';
    if (!isUser) caller = draftIndex;
    const renamed = isUser ? renamesOf(drafts[caller], caller, choices) : new Map<string, string>();
    const content = draft.message.content.flatMap((block, blockIndex): ContentBlock[] => {
      if (block.type === 'tool_result') {
        const id = renamed.get(block.toolUseId);
        return [id === undefined ? block : { ...block, toolUseId: id }];
      }
      if (block.type !== 'tool_use') return [block];
      const at = { messageIndex: draft.messageIndex, toolUseId: block.id, block };
      if (draft.message.role !== 'assistant') {
        note({ kind: 'misplaced-call-to-text', ...at });
        return [{ type: 'text', text: `[Call of ${block.name}: ${textOfInput(block.input)}]` }];
      }
      const choice = choices.get(`${draftIndex}:${blockIndex}`);
      if (choice === undefined) return [block];
      note({ kind: `duplicate-call-${choice.action === 'drop' ? 'dropped' : 'renamed'}`, ...at });
      return choice.action === 'drop' ? [] : [{ ...block, id: choice.id }];
    });
    const isUnchanged =
      content.length === draft.message.content.length &&
      content.every((block, index) => block === draft.message.content[index]);
    return isUnchanged ? draft : { ...draft, message: { ...draft.message, content } };
  });
}

function textOfInput(input: unknown): string {
  if (typeof input === 'string') return input;
  return input === undefined ? '' : JSON.stringify(input);
}

function findOccurrences(messages: readonly Message[]): Map<string, Occurrence[]> {
  const occurrences = new Map<string, Occurrence[]>();
  messages.forEach((message, draftIndex) => {
    if (callsOf(message).length === 0) return;
    const answers = idsAnsweredAfter(messages, draftIndex);
    const lastOfId = new Map(message.content.map((block, index) => [idOfCall(block), index]));
    message.content.forEach((call, blockIndex) => {
      if (call.type !== 'tool_use') return;
      const isAnswered = answers.has(call.id) && lastOfId.get(call.id) === blockIndex;
      const known = occurrences.get(call.id) ?? [];
      known.push({ draftIndex, call, blockIndex, isAnswered });
      occurrences.set(call.id, known);
    });
  });
  return occurrences;
}

function idOfCall(block: ContentBlock): string | undefined {
  return block.type === 'tool_use' ? block.id : undefined;
}

function idsAnsweredAfter(messages: readonly Message[], index: number): Set<string> {
  const ids = new Set<string>();
  for (const message of messages.slice(index + 1, endOfUserRun(messages, index))) {
    for (const block of message.content) {
      if (block.type === 'tool_result') ids.add(block.toolUseId);
    }
  }
  return ids;
}

/** What happens to a call, by `draftIndex:blockIndex`. Calls that stay as they are have no entry. */
function chooseOccurrences(
  occurrences: ReadonlyMap<string, readonly Occurrence[]>,
): Map<string, Choice> {
  const choices = new Map<string, Choice>();
  const taken = new Set(occurrences.keys());
  for (const [id, calls] of occurrences) {
    let isTaken = false;
    calls.forEach((occurrence, index) => {
      const key = `${occurrence.draftIndex}:${occurrence.blockIndex}`;
      if (!occurrence.isAnswered && index < calls.length - 1) choices.set(key, { action: 'drop' });
      else if (isTaken) choices.set(key, { action: 'rename', id: freeId(id, taken) });
      else isTaken = true;
    });
  }
  return choices;
}

function freeId(id: string, taken: Set<string>): string {
  let number = 2;
  while (taken.has(`${id}_${number}`)) number += 1;
  const free = `${id}_${number}`;
  taken.add(free);
  return free;
}

/** New ids for the results of a message's calls. */
function renamesOf(
  draft: Draft | undefined,
  draftIndex: number,
  choices: ReadonlyMap<string, Choice>,
): Map<string, string> {
  const renames = new Map<string, string>();
  if (choices.size === 0) return renames;
  draft?.message.content.forEach((block, blockIndex) => {
    const choice = choices.get(`${draftIndex}:${blockIndex}`);
    if (block.type === 'tool_use' && choice?.action === 'rename') renames.set(block.id, choice.id);
  });
  return renames;
}
