import {
  addedUserText,
  type ContentBlock,
  type Message,
  missingResultText,
  type ToolResultBlock,
  type ToolUseBlock,
} from '@ctx/core';
import { outputText } from '@ctx/core/encoding';

/** Makes each message one that a provider accepts after those before it, without ever touching the past. */
export interface Admission {
  /** Takes the next message; the answer is what goes into the log now, perhaps nothing yet. */
  admit(message: Message): readonly Message[];
  /** What has to go into the log before a request: placeholders for results that did not come, and what waited for them. */
  settle(): readonly Message[];
  /** The id that a call came with, where the log has another for it. */
  givenId(id: string): string;
  /** What is held back until then. */
  readonly waiting: readonly Message[];
}

const isBlank = (block: ContentBlock): boolean => block.type === 'text' && block.text.trim() === '';

function withoutBlanks(block: ContentBlock): ContentBlock[] {
  if (isBlank(block)) return [];
  if (block.type !== 'tool_result' || !block.content.some(isBlank)) return [block];
  return [{ ...block, content: block.content.filter((part) => !isBlank(part)) }];
}

/** A result that has no call to follow, as the user's words. */
function looseResult({ content }: ToolResultBlock): ContentBlock[] {
  return content.length === 0 ? [{ type: 'text', text: missingResultText }] : [...content];
}

/** A call that the model did not make, as text. */
function looseCall({ name, input }: ToolUseBlock): ContentBlock {
  return { type: 'text', text: `[${name} ${outputText(input)}]` };
}

/** The same message where every block is the same. */
function withContent(message: Message, content: readonly ContentBlock[]): Message {
  const isSame =
    content.length === message.content.length &&
    content.every((block, index) => block === message.content[index]);
  return isSame ? message : { ...message, content };
}

/** Ids that are taken from the front. */
interface Queue {
  readonly ids: string[];
  /** Place of the first that was not taken. */
  next: number;
}

interface AdmissionState {
  /** Calls without a result, by the id that they have in the log. */
  readonly open: Set<string>;
  /** The same by the id that they came with, in the order in which they came. */
  readonly openByGivenId: Map<string, Queue>;
  /** For each id that was used, the number that tells the next call with it apart. */
  readonly usedIds: Map<string, number>;
  /** The ids that calls came with, by the ones that they have in the log, where they differ. */
  readonly renamed: Map<string, string>;
  /** What came between a call and its result. */
  waiting: Message[];
  hasStarted: boolean;
}

function uniqueId(id: string, used: Map<string, number>): string {
  let number = used.get(id);
  if (number === undefined) return id;
  while (used.has(`${id}_${String(number)}`)) number += 1;
  used.set(id, number + 1);
  return `${id}_${String(number)}`;
}

/** Opens a call under the id that it gets in the log. */
function openCall(state: AdmissionState, givenId: string): string {
  const id = uniqueId(givenId, state.usedIds);
  state.usedIds.set(id, 2);
  state.open.add(id);
  const queue = state.openByGivenId.get(givenId) ?? { ids: [], next: 0 };
  state.openByGivenId.set(givenId, queue);
  queue.ids.push(id);
  if (id !== givenId) state.renamed.set(id, givenId);
  return id;
}

function openCalls(state: AdmissionState, message: Message): Message {
  const content = message.content.map((block) => {
    if (block.type === 'tool_result') return looseResult(block);
    if (block.type !== 'tool_use') return [block];
    const id = openCall(state, block.id);
    return [id === block.id ? block : { ...block, id }];
  });
  return withContent(message, content.flat());
}

function release(state: AdmissionState): Message[] {
  const { waiting } = state;
  state.waiting = [];
  return waiting;
}

function settle(state: AdmissionState): Message[] {
  const content = [...state.open].map(
    (toolUseId): ContentBlock => ({
      type: 'tool_result',
      toolUseId,
      content: [{ type: 'text', text: missingResultText }],
      isError: true,
    }),
  );
  state.open.clear();
  state.openByGivenId.clear();
  const placeholders: Message[] = content.length === 0 ? [] : [{ role: 'user', content }];
  return [...placeholders, ...release(state)];
}

function takeResult(state: AdmissionState, block: ToolResultBlock): ToolResultBlock | undefined {
  const queue = state.openByGivenId.get(block.toolUseId);
  const toolUseId = queue?.ids[queue.next];
  if (queue === undefined || toolUseId === undefined) return undefined;
  queue.next += 1;
  state.open.delete(toolUseId);
  return toolUseId === block.toolUseId ? block : { ...block, toolUseId };
}

function admitUser(state: AdmissionState, message: Message): Message[] {
  const results: ContentBlock[] = [];
  const others: ContentBlock[] = [];
  for (const block of message.content) {
    const result = block.type === 'tool_result' ? takeResult(state, block) : undefined;
    if (result !== undefined) results.push(result);
    else if (block.type === 'tool_result') others.push(...looseResult(block));
    else others.push(block.type === 'tool_use' ? looseCall(block) : block);
  }
  if (state.open.size === 0) {
    return [withContent(message, [...results, ...others]), ...release(state)];
  }
  if (others.length > 0) state.waiting.push({ ...message, content: others });
  return results.length === 0 ? [] : [{ ...message, content: results }];
}

function admitSystem(state: AdmissionState, message: Message): Message[] {
  const content = message.content.flatMap((block) => {
    if (block.type === 'tool_result') return looseResult(block);
    return [block.type === 'tool_use' ? looseCall(block) : block];
  });
  const admitted = withContent(message, content);
  if (state.open.size === 0) return [admitted];
  state.waiting.push(admitted);
  return [];
}

function admitOne(state: AdmissionState, message: Message): Message[] {
  if (message.role === 'system') return admitSystem(state, message);
  if (message.role === 'user') return admitUser(state, message);
  const before = settle(state);
  const opened = openCalls(state, message);
  if (state.hasStarted || before.length > 0) return [...before, opened];
  return [{ role: 'user', content: [{ type: 'text', text: addedUserText }] }, opened];
}

/**
 * Starts with an empty log.
 * Deterministic; the messages given are not changed, and one that needs nothing comes back as the same object;
 * the messages of all answers, after a `settle`, have no violation (see `validateMessages`). A result that comes after its
 * call was settled becomes text; a call id that was used before gets a suffix.
 * Goes through the blocks of the message.
 */
export function createAdmission(): Admission {
  const state: AdmissionState = {
    open: new Set(),
    openByGivenId: new Map(),
    usedIds: new Map(),
    renamed: new Map(),
    waiting: [],
    hasStarted: false,
  };
  return {
    admit: (message) => {
      const given = withContent(message, message.content.flatMap(withoutBlanks));
      if (given.content.length === 0) return [];
      const admitted = admitOne(state, given);
      state.hasStarted ||= admitted.some(({ role }) => role !== 'system');
      return admitted;
    },
    settle: () => settle(state),
    givenId: (id) => state.renamed.get(id) ?? id,
    get waiting() {
      return state.waiting;
    },
  };
}
