import { type ContentBlock, callsOf } from '@ctx/core';
import type { TranscriptEvent } from '../../transcript.ts';
import { fieldOf, isList, isRecord, type JsonRecord, textAt } from '../../values.ts';
import { pairXmlTools } from './cline-xml-tools.ts';

/** What the agent keeps beside the history of a task. Roo keeps everything in its messages. */
export interface TaskFiles {
  readonly agent: 'cline' | 'roo';
  /** `conversationHistoryDeletedRange` of the task in `state/taskHistory.json`: only its end is read. */
  readonly deletedRange?: readonly [start: number, end: number];
  /** The parsed `context_history.json`. */
  readonly contextHistory?: unknown;
  /** Turns calls in XML, as tasks of 2024 and 2025 have them, into pairs. Default false: they stay text. */
  readonly xmlTools?: boolean;
}

/** The events that the model of a task saw, and what of the side files could not be understood. */
export interface TaskView {
  readonly events: readonly TranscriptEvent[];
  /** Parts of `contextHistory` that are no edits; they are left out, never taken for an empty file. */
  readonly notUnderstood: readonly unknown[];
}

/**
 * Returns what the model saw last of a task of Cline or Roo. Indices count the messages of the file, so that this comes before any
 * repair.
 */
export function viewOfTask(
  events: readonly TranscriptEvent[],
  { agent, xmlTools = false, ...files }: TaskFiles,
): TaskView {
  const view =
    agent === 'roo' ? { events: viewOfRoo(events), notUnderstood: [] } : viewOfCline(events, files);
  return xmlTools ? { ...view, events: pairXmlTools(view.events) } : view;
}

/**
 * Returns the first two messages, then those after the deleted range, without results whose calls are gone, and with the edits of
 * texts applied.
 */
export function viewOfCline(
  events: readonly TranscriptEvent[],
  { deletedRange, contextHistory }: Pick<TaskFiles, 'deletedRange' | 'contextHistory'>,
): TaskView {
  const messages = events.filter(({ kind }) => kind === 'message');
  const { edits, notUnderstood } = readEdits(contextHistory);
  const edited = messages.map((event, index) => withEdits(event, edits.get(index)));
  if (deletedRange === undefined) return { events: edited, notUnderstood };
  const first = deletedRange[1] + 1;
  const kept = edited.filter((_, index) => index < 2 || index >= first);
  const [head, second, resumed, ...rest] = kept;
  if (resumed === undefined) return { events: kept, notUnderstood };
  const start = [head, second].flatMap((event) => (event ? [event] : []));
  const called = new Set(start.flatMap(callIdsOf));
  return { events: [...start, ...withoutOrphans(resumed, called), ...rest], notUnderstood };
}

function callIdsOf({ message }: TranscriptEvent): string[] {
  return message ? callsOf(message).map(({ id }) => id) : [];
}

/** A message without results of calls that are gone; nothing where that is all it had. */
function withoutOrphans(event: TranscriptEvent, called: ReadonlySet<string>): TranscriptEvent[] {
  const { message } = event;
  if (message === undefined) return [event];
  const content = message.content.filter(
    (block) => block.type !== 'tool_result' || called.has(block.toolUseId),
  );
  return content.length === 0 ? [] : [{ ...event, message: { ...message, content } }];
}

type BlockEdits = ReadonlyMap<number, string>;

function withEdits(event: TranscriptEvent, edits: BlockEdits | undefined): TranscriptEvent {
  const { message } = event;
  if (edits === undefined || message === undefined) return event;
  const content = message.content.map((block, index): ContentBlock => {
    const text = edits.get(index);
    if (text === undefined || block.type === 'tool_use' || block.type === 'opaque') return block;
    if (block.type === 'text') return { ...block, text };
    return { ...block, content: [{ type: 'text', text }] };
  });
  return { ...event, message: { ...message, content } };
}

interface ReadEdits {
  readonly edits: ReadonlyMap<number, BlockEdits>;
  readonly notUnderstood: unknown[];
}

/** `[[messageIndex, [editType, [[blockIndex, [[ts, kind, [text], metadata]]]]]]]`: of several updates the newest shows. */
function readEdits(value: unknown): ReadEdits {
  const edits = new Map<number, BlockEdits>();
  const notUnderstood: unknown[] = [];
  if (value !== undefined && !isList(value)) notUnderstood.push(value);
  for (const entry of isList(value) ? value : []) {
    const [index, change] = isList(entry) ? entry : [];
    const blocks = isList(change) ? change[1] : undefined;
    if (typeof index !== 'number' || !isList(blocks)) notUnderstood.push(entry);
    else edits.set(index, readBlocks(blocks, notUnderstood));
  }
  return { edits, notUnderstood };
}

function readBlocks(blocks: readonly unknown[], notUnderstood: unknown[]): BlockEdits {
  const texts = new Map<number, string>();
  for (const entry of blocks) {
    const [index, updates] = isList(entry) ? entry : [];
    const newest = isList(updates) ? updates.at(-1) : undefined;
    const list = isList(newest) && newest[1] === 'text' ? newest[2] : undefined;
    const text: unknown = isList(list) ? list[0] : undefined;
    if (typeof index === 'number' && typeof text === 'string') texts.set(index, text);
    else notUnderstood.push(entry);
  }
  return texts;
}

/**
 * Returns the messages from the last summary on, or without one those whose summary and truncation marker are gone; never what a
 * marker that still exists stands for. Marks that point to nothing hide nothing.
 */
function viewOfRoo(events: readonly TranscriptEvent[]): readonly TranscriptEvent[] {
  const messages = events.filter(({ kind }) => kind === 'message');
  const summary = messages.findLastIndex(({ flags }) => flags?.summary === true);
  const rest = summary === -1 ? messages : messages.slice(summary);
  const markers = idsOf(rest, 'isTruncationMarker', 'truncationId');
  const summaries = summary === -1 ? idsOf(rest, 'isSummary', 'condenseId') : new Set<string>();
  const shown = rest.filter((event) => {
    const fields = fieldsOf(event);
    const isTruncated = markers.has(textAt(fields, 'truncationParent') ?? '');
    return !isTruncated && !summaries.has(textAt(fields, 'condenseParent') ?? '');
  });
  return summary === -1 ? shown : withoutLoneResults(shown);
}

/** The fields of a message beside its role and content. */
function fieldsOf({ message }: TranscriptEvent): JsonRecord {
  const fields = message?.extra?.fields;
  return isRecord(fields) ? fields : {};
}

function idsOf(events: readonly TranscriptEvent[], mark: string, field: string): Set<string> {
  const ids = events.flatMap((event) => {
    const fields = fieldsOf(event);
    const id = fieldOf(fields, mark) === true ? textAt(fields, field) : undefined;
    return id === undefined ? [] : [id];
  });
  return new Set(ids);
}

function withoutLoneResults(events: readonly TranscriptEvent[]): TranscriptEvent[] {
  const called = new Set<string>();
  return events.flatMap((event) => {
    for (const id of callIdsOf(event)) called.add(id);
    return event.message?.role === 'user' ? withoutOrphans(event, called) : [event];
  });
}
