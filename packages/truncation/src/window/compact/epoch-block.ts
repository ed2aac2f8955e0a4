import type { ContentBlock, Message } from '@ctx/core';
import { previewOf } from '@ctx/store';
import { ledgerLine, messagesUri } from '../leave/stub.ts';
import { plainText } from '../log/plain-text.ts';
import type { Pair, WindowSegment } from '../log/segment.ts';
import { segmentsOf } from '../log/segments-of.ts';
import type { CarriedRead, Epoch, WindowLog } from '../log/window-log.ts';
import { limitTokens, projectedTokens, type WindowState } from '../window-state.ts';

/** What an epoch block is made of. */
export interface EpochInput {
  readonly from: number;
  readonly to: number;
  readonly summary: string;
  /** Most tokens of what the user said, and of lines for calls and results. */
  readonly carriedTokens: number;
  readonly ledgerTokens: number;
}

/** Whether a line is one that stands for a call: what was called, then where its result is read, in brackets. */
function isLedgerLine(line: string): boolean {
  const inside = line.slice(1, -1);
  return (
    line.startsWith('[') &&
    line.endsWith(']') &&
    /^[^[\]]*$/.test(inside) &&
    inside.includes(' → ctx://')
  );
}

/** The lines of what left, and of what leaves now, in order. */
function ledgerOf(log: WindowLog, from: number, to: number): string[] {
  const segments = segmentsOf(log, from, to);
  const results = new Map<string, string>();
  for (const { block, pointer, address = pointer } of segments) {
    if (block?.type === 'tool_result') results.set(block.toolUseId, address);
  }
  return segments.flatMap(({ block, pointer, edit }) => {
    if (block?.type === 'tool_use') return [ledgerLine(block, results.get(block.id) ?? pointer)];
    const isLine = edit?.form === 'ledger' || edit?.form === 'part';
    return isLine && block?.type === 'text' ? lineAbove(block.text) : [];
  });
}

/** The line that stands for a call, also above the part that is shown of its result. */
function lineAbove(text: string): string[] {
  const [line = ''] = text.split('\n', 1);
  return isLedgerLine(line) ? [line] : [];
}

/** The words of a message, as far as they are shown as they came. */
function wordsOf(segments: readonly WindowSegment[]): string {
  const texts = segments.flatMap(({ block, edit }) =>
    block?.type === 'text' && edit === undefined ? [block.text] : [],
  );
  return texts.join('\n');
}

/** What the user said, message by message. */
function saidIn(log: WindowLog, from: number, to: number): string[] {
  const said: string[] = [];
  for (let index = from; index <= to; index += 1) {
    if (log.messages[index]?.role !== 'user') continue;
    const words = wordsOf(segmentsOf(log, index));
    if (words !== '') said.push(words);
  }
  return said;
}

/** The newest texts whose tokens fit. What alone is too long is shortened. */
function newest(state: WindowState, texts: readonly string[], mostTokens: number): string[] {
  let left = mostTokens;
  const kept: string[] = [];
  for (const text of texts.toReversed()) {
    const tokens = tokensOfText(state, text);
    if (tokens > left) {
      const isAlone = kept.length === 0 && mostTokens > 0;
      return isAlone ? [previewOf(text, { maxCharacters: mostTokens * 2 })] : kept.toReversed();
    }
    left -= tokens;
    kept.push(text);
  }
  return kept.toReversed();
}

function tokensOfText({ host }: WindowState, text: string): number {
  return host.tokensOf({ role: 'user', content: [{ type: 'text', text }] });
}

/** What is shown of a read that is held back, under the line of its call. */
function shownRead({ log }: WindowState, pair: Pair): string | undefined {
  const block = log.segments[pair.resultSegment]?.block;
  if (block?.type === 'text') return block.text;
  const text = block?.type === 'tool_result' ? plainText(block.content) : undefined;
  return text === undefined
    ? undefined
    : `${ledgerLine(pair.call, pair.address, pair.callPointer)}\n${text}`;
}

/** Reads in these messages that are held back, as they are shown. */
function heldIn(state: WindowState, { from, to }: EpochInput): CarriedRead[] {
  const { log, queue } = state;
  return queue.needed().flatMap((pair) => {
    const message = log.segments[pair.resultSegment]?.message ?? -1;
    const text = message < from || message > to ? undefined : shownRead(state, pair);
    return text === undefined
      ? []
      : [{ pair: pair.index, text, tokens: tokensOfText(state, text) }];
  });
}

/**
 * Reads that the work needs: those that are held back, and those that the epoch before carried. The newest that fit the hold; none where
 * the window is full.
 */
function neededIn(state: WindowState, input: EpochInput): CarriedRead[] {
  const { log, queue } = state;
  if (projectedTokens(state) > limitTokens(state)) return [];
  const carried = (log.epoch?.needed ?? []).filter(({ pair }) => queue.isCarried(pair));
  let room = queue.carryTokens();
  const newestFirst = [...carried, ...heldIn(state, input)].toReversed();
  const fitting = newestFirst.filter(({ tokens }) => {
    const fits = tokens <= room;
    if (fits) room -= tokens;
    return fits;
  });
  return fitting.toReversed();
}

function titled(title: string, lines: readonly string[]): ContentBlock[] {
  if (lines.length === 0) return [];
  return [{ type: 'text', text: [`[ctx: ${title}]`, ...lines].join('\n') }];
}

/**
 * Builds what stands for the oldest messages: the summary with the address of the originals, what the user said, and a line
 * for each call with the address of its result; what the epoch before carried is carried on, the newest first to stay. Reads that
 * the work needs are carried as they are shown.
 * Pure; plain data. Goes through the messages.
 */
export function draftEpoch(state: WindowState, input: EpochInput): Epoch {
  const { log } = state;
  const { from, to, summary, carriedTokens, ledgerTokens } = input;
  const address = messagesUri(from, to);
  const said = [...(log.epoch?.carried ?? []), ...saidIn(log, from, to)];
  const carried = newest(state, said, carriedTokens);
  const lines = [...(log.epoch?.ledger ?? []), ...ledgerOf(log, from, to)];
  const ledger = newest(state, lines, ledgerTokens);
  const count = String(to - from + 1);
  const needed = neededIn(state, input);
  const message: Message = {
    role: 'user',
    content: [
      ...titled(`${count} earlier messages in short; they are kept at ${address}`, [summary]),
      ...titled('what the user said in them', carried),
      ...titled('what was called in them, and where the results are kept', ledger),
      ...titled(
        'what the work still needs of what they showed',
        needed.map(({ text }) => text),
      ),
    ],
  };
  const tokens = state.host.tokensOf(message);
  return { from, to, message, tokens, carried, ledger, ...(needed.length > 0 && { needed }) };
}
