import type { ContentBlock, Message } from '@ctx/core';
import type { LoggedMessage, WindowSegment } from './segment.ts';

/** The log as far as rendering needs it. */
export interface RenderedLog {
  readonly messages: readonly LoggedMessage[];
  readonly segments: readonly WindowSegment[];
}

interface RenderedMessage {
  readonly index: number;
  readonly message: Message;
  /** Whether it is the object that went into the log. */
  readonly isWhole: boolean;
}

function blocksOf(log: RenderedLog, { first, end }: LoggedMessage): ContentBlock[] {
  const blocks: ContentBlock[] = [];
  for (let index = first; index < end; index += 1) {
    const block = log.segments[index]?.block;
    if (block !== undefined) blocks.push(block);
  }
  return blocks;
}

const isResult = (block: ContentBlock): boolean => block.type === 'tool_result';

/**
 * The messages that are shown of a unit: a call with the messages that answer it, from `start` up to, but without, `end`.
 * Results come first in the unit, the lines that stand for others after the last of them; a message of which
 * nothing is left is not shown; one that did not change is the same object. Goes through the blocks of the unit.
 */
export function renderUnit(log: RenderedLog, start: number, end: number): RenderedMessage[] {
  const rendered: RenderedMessage[] = [];
  const contents = log.messages.slice(start, end).map((logged) => blocksOf(log, logged));
  const lastResults = contents.findLastIndex((blocks) => blocks.some(isResult));
  let waiting: ContentBlock[] = [];
  for (const [offset, blocks] of contents.entries()) {
    const logged = log.messages[start + offset];
    if (logged === undefined) continue;
    const results = blocks.filter(isResult);
    const others = blocks.filter((block) => !isResult(block));
    const waits = logged.role === 'user' && offset < lastResults;
    const lines = logged.role === 'user' ? [...waiting, ...others] : others;
    const shown = waits ? results : [...results, ...lines];
    if (logged.role === 'user') waiting = waits ? lines : [];
    if (shown.length === 0) continue;
    const message = messageOf(logged, shown);
    rendered.push({ index: start + offset, message, isWhole: message === logged.whole });
  }
  return rendered;
}

/** The object that went into the log, where nothing of it changed. */
function messageOf({ role, extra, whole }: LoggedMessage, content: ContentBlock[]): Message {
  const isSame =
    whole?.content.length === content.length &&
    content.every((block, at) => block === whole.content[at]);
  if (whole !== undefined && isSame) return whole;
  return extra === undefined ? { role, content } : { role, content, extra };
}
