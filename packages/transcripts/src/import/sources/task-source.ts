import { basename, dirname, join } from 'node:path';
import { isCtxError } from '@ctx/core';
import { usageOfClineTask } from '../../formats/cline/cline-usage.ts';
import { viewOfCline } from '../../formats/cline/cline-view.ts';
import type { ReadReceipt } from '../../read-receipt.ts';
import type { TranscriptEvent, Usage } from '../../transcript.ts';
import { readWhole } from '../files/read-whole.ts';
import type { ImportSource } from '../import-source.ts';

/** The file of a task of Cline or Roo that holds its messages. */
export const taskFile = 'api_conversation_history.json';

/** Files beside it that are read with it. */
export const taskSideFiles: ReadonlySet<string> = new Set([
  'ui_messages.json',
  'context_history.json',
  'task_metadata.json',
]);

/** A parsed side file; `undefined` where there is none, `corrupt` where it does not read. */
type SideFile = { readonly value: unknown } | 'corrupt' | undefined;

async function readSide(folder: string, name: string): Promise<SideFile> {
  try {
    const text = Buffer.from(await readWhole(join(folder, name))).toString('utf8');
    return { value: JSON.parse(text) };
  } catch (error) {
    return isCtxError(error, 'CTX_NOT_FOUND') ? undefined : 'corrupt';
  }
}

const field = (value: unknown, key: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, key)
    ? Reflect.get(value, key)
    : undefined;

/** The range of messages that Cline no longer sends: only its end counts. */
function rangeOf(history: SideFile, task: string): readonly [number, number] | undefined {
  const tasks = typeof history === 'object' ? history.value : undefined;
  const listed: readonly unknown[] = Array.isArray(tasks) ? tasks : [];
  const own = listed.find((one) => field(one, 'id') === task);
  const range = field(own, 'conversationHistoryDeletedRange');
  const [start, end] = Array.isArray(range) ? (range as unknown[]) : [];
  return typeof start === 'number' && typeof end === 'number' ? [start, end] : undefined;
}

/** What the side files of a task add to its messages. */
interface TaskParts {
  readonly usage: readonly Usage[];
  readonly range: readonly [number, number] | undefined;
  readonly edits: unknown;
  readonly notes: Readonly<Record<string, number>>;
}

async function partsOf(path: string): Promise<TaskParts> {
  const folder = dirname(path);
  const [ui, edits, history] = await Promise.all([
    readSide(folder, 'ui_messages.json'),
    readSide(folder, 'context_history.json'),
    readSide(join(folder, '..', '..', 'state'), 'taskHistory.json'),
  ]);
  const value = typeof edits === 'object' ? edits.value : undefined;
  const { notUnderstood } = viewOfCline([], value === undefined ? {} : { contextHistory: value });
  const corrupt = [ui, edits, history].filter((side) => side === 'corrupt').length;
  return {
    usage: typeof ui === 'object' ? usageOfClineTask(ui.value) : [],
    range: rangeOf(history, basename(folder)),
    edits: value,
    notes: {
      ...(corrupt === 0 ? {} : { 'side file that does not read': corrupt }),
      ...(notUnderstood.length === 0 ? {} : { 'edit that is none': notUnderstood.length }),
    },
  };
}

type Draft = Pick<TranscriptEvent, 'kind' | 'boundary' | 'usage' | 'extra'>;

/** The events that stand for the side files, after the messages. */
function draftsOf(parts: TaskParts, messages: number, hasUsage: boolean): Draft[] {
  const { usage, range, edits } = parts;
  const drafts: Draft[] = [];
  if (edits !== undefined) {
    drafts.push({ kind: 'meta', extra: { sideFile: 'context_history.json', value: edits } });
  }
  if (range !== undefined) {
    const kept = Array.from({ length: messages }, (_, index) => index);
    const keepIds = kept
      .filter((index) => index < 2 || index > range[1])
      .map((index) => `message-${String(index)}`);
    const extra = { sideFile: 'taskHistory.json', deletedRange: [...range] };
    drafts.push({ kind: 'boundary', boundary: { trigger: 'auto', keepIds }, extra });
  }
  if (hasUsage) return drafts;
  const extra = { sideFile: 'ui_messages.json' };
  return [...drafts, ...usage.map((one): Draft => ({ kind: 'usage', usage: one, extra }))];
}

function summed(receipt: ReadReceipt, parts: TaskParts, hasUsage: boolean): ReadReceipt {
  const sums = { input: 0, cacheRead: 0, cacheWrite: 0, output: 0 };
  for (const { input, cacheRead, cacheWrite, output } of parts.usage) {
    sums.input += input;
    sums.cacheRead += cacheRead;
    sums.cacheWrite += cacheWrite;
    sums.output += output;
  }
  const notes = { ...receipt.notes, ...parts.notes };
  return hasUsage ? { ...receipt, notes } : { ...receipt, notes, usage: sums };
}

/**
 * The messages of a task, and after them what its side files say: the range that is no longer sent as a boundary, the edits of
 * texts as a `meta` event, the usage of its requests where the messages have none.
 * Reads only beside the file; a side file that does not read is counted, never taken for an empty one.
 */
export async function withSideFiles(source: ImportSource): Promise<ImportSource> {
  const parts = await partsOf(source.path);
  let hasUsage = false;
  async function* events(): AsyncGenerator<TranscriptEvent, void, undefined> {
    let seq = 0;
    let messages = 0;
    for await (const event of source.events) {
      seq = event.seq + 1;
      if (event.kind === 'message') messages += 1;
      hasUsage ||= event.usage !== undefined;
      yield event;
    }
    const place = { offset: source.position().bytes, length: 0, sha256: '' };
    for (const draft of draftsOf(parts, messages, hasUsage)) {
      yield { ...draft, seq, lane: 'main', source: place };
      seq += 1;
    }
  }
  return { ...source, events: events(), receipt: () => summed(source.receipt(), parts, hasUsage) };
}
