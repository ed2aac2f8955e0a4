import type { ContentBlock, Message } from '@ctx/core';
import type { replaySession } from '@ctx/replay';
import { editNeedsOf, textOfBlock } from '@ctx/truncation';

export type ReplaySession = Parameters<typeof replaySession>[0];

/** A request as a policy rendered it. */
export interface ReplayedRequest {
  /** ms from the first request. */
  readonly time: number;
  readonly system?: string | undefined;
  readonly messages: readonly Message[];
}

const linesOf = (text: string): string[] => text.split('\n').map((line) => line.trim());

export const missingIn = (lines: readonly string[], text: string): string[] =>
  lines.filter((line) => !text.includes(line));

export const textOf = (blocks: readonly ContentBlock[]): string =>
  blocks.map(textOfBlock).join('\n');

export const blocksOf = (messages: readonly Message[]): ContentBlock[] =>
  messages.flatMap(({ content }) => content);

/** Where the answer to each request begins and ends: runs of messages of the model. */
export function answersOf(messages: readonly Message[]): { start: number; end: number }[] {
  const isAnswer = (at: number): boolean => messages[at]?.role === 'assistant';
  const starts = messages.flatMap((_, at) =>
    at > 0 && isAnswer(at) && !isAnswer(at - 1) ? [at] : [],
  );
  return starts.map((start) => {
    let end = start;
    while (isAnswer(end)) end += 1;
    return { start, end };
  });
}

/** The old lines of each edit in an answer; none for an edit that replaces nothing. */
export function oldLinesIn(answer: readonly Message[]): string[][] {
  return blocksOf(answer)
    .flatMap((block) => (block.type === 'tool_use' ? editNeedsOf(block).oldTexts : []))
    .map((text) => linesOf(text).filter((line) => line !== ''))
    .filter((lines) => lines.length > 0);
}
