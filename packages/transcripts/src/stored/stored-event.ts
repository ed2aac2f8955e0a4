import {
  type ContentBlock,
  CtxError,
  type Message,
  type ResultBlock,
  type ToolResultBlock,
} from '@ctx/core';
import type { ContextStore } from '@ctx/store';
import type { TranscriptEvent } from '../transcript.ts';

/** A tool result that was taken out of a message: it stands in the store of outputs, once. */
export interface StoredResult {
  /** Index of the block in the message. */
  readonly block: number;
  /** Id of the output. */
  readonly output: string;
  /** How the content comes back: one plain text, the list of blocks, or nothing. */
  readonly form: 'text' | 'blocks' | 'empty';
}

/**
 * One event of a transcript as the log keeps it. Results stand beside the event, not in it, so that text which looks like
 * a pointer is never taken for one.
 */
export interface StoredEvent {
  readonly event: TranscriptEvent;
  readonly results: readonly StoredResult[];
  /**
   * Tokens of each block as a message of its own, as they were counted when it was stored; of a result that is one text without that text.
   * Missing in logs that were written without.
   */
  readonly sizes?: readonly number[];
}

/** What the tool returned, as a value for the store: one plain text as a string, anything else as its blocks. */
export function resultOf({ content }: ToolResultBlock): {
  value: unknown;
  form: StoredResult['form'];
} {
  const [first] = content;
  if (first === undefined) return { value: '', form: 'empty' };
  const isPlain = content.length === 1 && first.type === 'text' && first.extra === undefined;
  return isPlain ? { value: first.text, form: 'text' } : { value: content, form: 'blocks' };
}

/** The message without the content of its results. */
export function withoutResults(
  message: Message,
  results: readonly Pick<StoredResult, 'block'>[],
): Message {
  const taken = new Set(results.map(({ block }) => block));
  if (taken.size === 0) return message;
  const content = message.content.map(
    (block, index): ContentBlock =>
      taken.has(index) && block.type === 'tool_result' ? { ...block, content: [] } : block,
  );
  return { ...message, content };
}

function isStoredEvent(payload: unknown): payload is StoredEvent {
  if (typeof payload !== 'object' || payload === null) return false;
  if (!('event' in payload) || !('results' in payload)) return false;
  const { event } = payload;
  return (
    typeof event === 'object' && event !== null && 'kind' in event && Array.isArray(payload.results)
  );
}

/** The event of a log entry that `ctx import` wrote; `undefined` for entries of others. */
export function storedEventOf(payload: unknown): StoredEvent | undefined {
  return isStoredEvent(payload) ? payload : undefined;
}

function contentOf({ form }: StoredResult, value: unknown): readonly ResultBlock[] {
  if (form === 'empty') return [];
  // What `resultOf` took apart: a text, or the blocks as they were.
  return form === 'text'
    ? [{ type: 'text', text: String(value) }]
    : (value as readonly ResultBlock[]);
}

/** An event with its results, and what was counted of it when it was stored. Tokens. */
export interface RestoredEvent {
  readonly event: TranscriptEvent;
  /** Texts of results. */
  readonly counts: readonly (readonly [text: string, tokens: number])[];
  /** Blocks, each as a message of its own, with their results. Empty where they were not counted. */
  readonly sizes: readonly number[];
}

/**
 * Puts the results back.
 * @throws `CTX_STORE_CORRUPT` where an output is missing.
 */
export async function restoreCounted(
  store: ContextStore,
  sessionId: string,
  { event, results, sizes = [] }: StoredEvent,
): Promise<RestoredEvent> {
  const { message } = event;
  if (message === undefined || results.length === 0) return { event, counts: [], sizes };
  const content = [...message.content];
  const counts: [string, number][] = [];
  const loaded = new Map<number, number>();
  for (const result of results) {
    const output = await store.outputs.load({ sessionId, id: result.output });
    const block = content[result.block];
    if (output === undefined || block?.type !== 'tool_result') {
      throw new CtxError(
        'CTX_STORE_CORRUPT',
        `session ${sessionId} lacks its output ${result.output}`,
      );
    }
    content[result.block] = { ...block, content: contentOf(result, output.result) };
    if (result.form !== 'text') continue;
    counts.push([String(output.result), output.tokens]);
    loaded.set(result.block, output.tokens);
  }
  const whole = sizes.map((size, block) => size + (loaded.get(block) ?? 0));
  return { event: { ...event, message: { ...message, content } }, counts, sizes: whole };
}

/**
 * Puts the results back.
 * @throws `CTX_STORE_CORRUPT` where an output is missing.
 */
export async function restoreEvent(
  store: ContextStore,
  sessionId: string,
  stored: StoredEvent,
): Promise<TranscriptEvent> {
  return (await restoreCounted(store, sessionId, stored)).event;
}
