import type { ContentBlock, Message, ToolResultBlock } from '../records/message.ts';
import type { Draft, NoteRepair } from './repair-report.ts';
import { callsOf, endOfUserRun } from './unit.ts';

/** Placeholder for a result that never came. */
export const missingResultText = '[No result: the call was interrupted]';

interface ResultPlace {
  readonly block: ToolResultBlock;
  readonly draftIndex: number;
  readonly blockIndex: number;
}

interface Placing {
  readonly drafts: readonly Draft[];
  /** The result of each call that has one. */
  readonly results: ReadonlyMap<string, ResultPlace>;
  readonly callIds: ReadonlySet<string>;
  readonly note: NoteRepair;
}

/**
 * Puts every result directly after its call, fills in missing ones and turns results without a call into text.
 *
 * Expects unique call ids. Of several results for one call the last wins. Unchanged messages stay the same objects.
 */
export function placeResults(drafts: readonly Draft[], note: NoteRepair): Draft[] {
  const messages = drafts.map((draft) => draft.message);
  const callIds = new Set(messages.flatMap(callsOf).map((call) => call.id));
  const placing: Placing = { drafts, results: lastResults(messages, callIds), callIds, note };
  const placed: Draft[] = [];
  let index = 0;
  for (let draft = drafts[0]; draft !== undefined; draft = drafts[index]) {
    placed.push(withContent(draft, sortBlocks(placing, index, new Set()).others));
    const ids = callsOf(draft.message).map((call) => call.id);
    const end = ids.length === 0 ? index + 1 : endOfUserRun(messages, index);
    const answers = ids.length === 0 ? [] : answerCalls({ ...placing, ids, start: index + 1, end });
    for (const answer of answers) placed.push(answer);
    index = end;
  }
  return placed;
}

function lastResults(
  messages: readonly Message[],
  callIds: ReadonlySet<string>,
): Map<string, ResultPlace> {
  const results = new Map<string, ResultPlace>();
  messages.forEach((message, draftIndex) => {
    message.content.forEach((block, blockIndex) => {
      if (block.type !== 'tool_result' || !callIds.has(block.toolUseId)) return;
      results.set(block.toolUseId, { block, draftIndex, blockIndex });
    });
  });
  return results;
}

interface Answering extends Placing {
  readonly ids: readonly string[];
  /** The run of user messages after the calls: from `start` up to, but without, `end`. */
  readonly start: number;
  readonly end: number;
}

/** The run of user messages after calls, with all their results first. */
function answerCalls(answering: Answering): Draft[] {
  const { drafts, start, end, ids } = answering;
  const open = new Set(ids);
  const answered: Draft[] = [];
  let resultsAreOver = false;
  for (let index = start; index < end; index += 1) {
    const draft = drafts[index];
    if (draft === undefined) break;
    const { own, others } = sortBlocks(answering, index, resultsAreOver ? new Set() : open);
    resultsAreOver ||= others.length > 0;
    for (const block of own) open.delete(block.toolUseId);
    answered.push(withContent(draft, [...own, ...others]));
  }
  if (open.size === 0) return answered;
  const added = [...open].map((id) => fetchResult(answering, id));
  return insertResults(answered, added, drafts[start - 1]);
}

/** Splits a message into the wanted results and everything else, without results that belong elsewhere. */
function sortBlocks(
  placing: Placing,
  draftIndex: number,
  wanted: ReadonlySet<string>,
): { own: ToolResultBlock[]; others: ContentBlock[] } {
  const { drafts, results, callIds, note } = placing;
  const own: ToolResultBlock[] = [];
  const others: ContentBlock[] = [];
  const draft = drafts[draftIndex];
  draft?.message.content.forEach((block, blockIndex) => {
    if (block.type !== 'tool_result') {
      others.push(block);
      return;
    }
    const { toolUseId } = block;
    const at = { messageIndex: draft.messageIndex, toolUseId, block };
    const winner = results.get(toolUseId);
    const isWinner = winner?.draftIndex === draftIndex && winner.blockIndex === blockIndex;
    if (!callIds.has(toolUseId)) {
      note({ kind: 'orphan-result-to-text', ...at });
      others.push(...asText(block));
    } else if (!isWinner) note({ kind: 'duplicate-result-dropped', ...at });
    else if (wanted.has(toolUseId)) {
      if (others.length > 0) note({ kind: 'result-moved', ...at });
      own.push(block);
    } else note({ kind: 'result-moved', ...at });
  });
  return { own, others };
}

function asText(block: ToolResultBlock): ContentBlock[] {
  const text: ContentBlock = {
    type: 'text',
    text: `[Result of the call ${block.toolUseId}, which is not here]`,
  };
  return [text, ...block.content];
}

function fetchResult(
  { results, drafts, start, note }: Answering,
  toolUseId: string,
): ToolResultBlock {
  const place = results.get(toolUseId);
  if (place) return place.block;
  const messageIndex = drafts[start - 1]?.messageIndex ?? 0;
  note({ kind: 'missing-result-filled', messageIndex, toolUseId });
  const content = [{ type: 'text' as const, text: missingResultText }];
  return { type: 'tool_result', toolUseId, content, isError: true };
}

/** Puts results into the first message of the run, after those already there, or into a new message. */
function insertResults(
  run: readonly Draft[],
  added: readonly ToolResultBlock[],
  caller: Draft | undefined,
): Draft[] {
  const [first, ...rest] = run;
  if (first === undefined) {
    const message: Message = { role: 'user', content: added };
    return [{ message, messageIndex: caller?.messageIndex ?? 0 }];
  }
  const { content } = first.message;
  const firstOther = content.findIndex((block) => block.type !== 'tool_result');
  const position = firstOther === -1 ? content.length : firstOther;
  return [withContent(first, content.toSpliced(position, 0, ...added)), ...rest];
}

function withContent(draft: Draft, content: readonly ContentBlock[]): Draft {
  const before = draft.message.content;
  const isUnchanged =
    content.length === before.length && content.every((block, index) => block === before[index]);
  return isUnchanged ? draft : { ...draft, message: { ...draft.message, content } };
}
