import type { ContentBlock, Extra, Message, Role, ToolResultBlock, ToolUseBlock } from '@ctx/core';
import { isList, isRecord, type JsonRecord } from '../../values.ts';
import { extraOfFormat } from '../shared/extra-of-format.ts';
import type { NoteLoss } from '../shared/note-loss.ts';
import { dynamicLayout, namedLayout, type ToolLayout, writeTool } from './ui-part.ts';

/** A message of a user interface as it is written. */
export interface UiDraft {
  readonly role: Role;
  readonly parts: readonly unknown[];
  /** What was kept of the message as a whole; `undefined` where it comes from elsewhere. */
  readonly kept: JsonRecord | undefined;
}

/** How messages of a user interface are written. */
export interface UiTarget {
  readonly format: string;
  /** How a call from elsewhere is laid out. */
  readonly part: 'named' | 'invocation';
  /** How a tool invocation is laid out. */
  readonly invocation: ToolLayout;
  readonly note: NoteLoss;
}

/** Makes messages of a user interface: an answer with all its steps is one, results stand in the parts of their calls. */
export function uiDraftsOf(messages: readonly Message[], target: UiTarget): UiDraft[] {
  const open: OpenDraft[] = [];
  for (const message of messages) {
    const results = message.content.filter((block) => block.type === 'tool_result');
    answerCalls(open, results, target.note);
    const rest = message.content.filter((block) => block.type !== 'tool_result');
    const isOnlyResults = results.length > 0 && rest.length === 0;
    const draft = isOnlyResults ? open.at(-1) : draftFor(message, open, target);
    if (draft) addTo(draft, { ...message, content: rest }, target);
  }
  return open.map(({ role, kept, items }) => {
    return { role, kept, parts: items.map((item) => partOf(item, target)) };
  });
}

interface OpenDraft {
  readonly role: Role;
  readonly kept: JsonRecord | undefined;
  readonly items: Item[];
  /** Where the items of the last message begin. */
  stepStart: number;
}

/** A part, or a call that waits for its result. */
type Item = { readonly kind: 'part'; readonly part: unknown } | CallItem;

interface CallItem {
  readonly kind: 'call';
  readonly call: ToolUseBlock;
  result: ToolResultBlock | undefined;
}

/** Gives results to the calls of the answer before them. */
function answerCalls(
  drafts: readonly OpenDraft[],
  results: readonly ToolResultBlock[],
  note: NoteLoss,
): void {
  for (const result of results) {
    const item = callOf(drafts, result);
    if (item) item.result = result;
    else note('result without its call');
  }
}

function callOf(drafts: readonly OpenDraft[], result: ToolResultBlock): CallItem | undefined {
  const isOpen = (item: Item): item is CallItem =>
    item.kind === 'call' && item.call.id === result.toolUseId && item.result === undefined;
  const last = drafts.at(-1);
  const step = last?.items.slice(last.stepStart) ?? [];
  const same = step.filter((item) => item.kind === 'call' && item.call.id === result.toolUseId);
  const place = result.extra?.['place'];
  const placed = typeof place === 'number' ? same[place] : same.find(isOpen);
  if (placed && isOpen(placed)) return placed;
  // A late result: its call stands further up.
  for (const { items } of drafts.toReversed()) {
    const item = items.findLast(isOpen);
    if (item) return item;
  }
  return undefined;
}

/** The draft that a message goes on with, or a new one. */
function draftFor(message: Message, drafts: OpenDraft[], target: UiTarget): OpenDraft {
  const extra = extraOfFormat(target.format, message.extra, target.note);
  const last = drafts.at(-1);
  if (last?.role === 'assistant' && message.role === 'assistant' && mayGoOn(last, extra)) {
    if (extra === undefined) last.items.push({ kind: 'part', part: { type: 'step-start' } });
    last.stepStart = last.items.length;
    return last;
  }
  const head = extra?.['head'];
  const kept = isRecord(head) ? head : undefined;
  const made: OpenDraft = { role: message.role, kept, items: [], stepStart: 0 };
  drafts.push(made);
  return made;
}

function mayGoOn(last: OpenDraft, extra: Extra | undefined): boolean {
  return extra === undefined ? last.kept === undefined : extra['continues'] === true;
}

function addTo(draft: OpenDraft, message: Message, target: UiTarget): void {
  for (const block of message.content) {
    for (const part of hiddenOf(block.extra, 'before', target)) {
      draft.items.push({ kind: 'part', part });
    }
    draft.items.push(...itemsOf(block, target));
  }
  for (const part of hiddenOf(message.extra, 'after', target)) {
    draft.items.push({ kind: 'part', part });
  }
}

function hiddenOf(
  extra: ContentBlock['extra'],
  key: 'before' | 'after',
  { format }: UiTarget,
): readonly unknown[] {
  const hidden = extra?.format === format ? extra[key] : undefined;
  return isList(hidden) ? hidden : [];
}

function itemsOf(block: ContentBlock, { format, note }: UiTarget): Item[] {
  if (block.type === 'tool_use') return [{ kind: 'call', call: block, result: undefined }];
  if (block.type === 'text') {
    const fields = extraOfFormat(format, block.extra, note)?.fields;
    return [{ kind: 'part', part: { type: 'text', text: block.text, ...fields } }];
  }
  if (block.type === 'opaque' && block.format.startsWith(`${format}:`)) {
    return [{ kind: 'part', part: block.data }];
  }
  note(`block ${block.type === 'opaque' ? block.format : block.type}`);
  return [];
}

function partOf(item: Item, target: UiTarget): unknown {
  if (item.kind === 'part') return item.part;
  const { call, result } = item;
  const { format, note } = target;
  const extra = extraOfFormat(format, call.extra, note);
  const kind = typeof extra?.['part'] === 'string' ? extra['part'] : target.part;
  const write = (layout: ToolLayout): JsonRecord =>
    writeTool(call, result, { format, layout, note });
  if (kind === 'invocation') {
    const around = isRecord(extra?.['around']) ? extra['around'] : {};
    return { type: 'tool-invocation', toolInvocation: write(target.invocation), ...around };
  }
  if (kind === 'dynamic') return { type: 'dynamic-tool', ...write(dynamicLayout) };
  return { type: `tool-${call.name}`, ...write(namedLayout) };
}
