import type { Message } from '@ctx/core';
import { blockTexts } from '../text-of-history.ts';
import type { Baseline } from './baseline.ts';

/** What the rival passes on, tokens by its own estimate of four characters each. */
const rivalTokens = 4000;

/**
 * What LangChain's summarization middleware hands to its model when nothing else is set: the newest messages of at most 4,000 tokens.
 * Whatever is not among them no model can summarise. Source: `trimTokensToSummarize`, langchain 1.x.
 */
export const rivalInput: Baseline = {
  name: "LangChain's input",
  shorten: (history) => {
    const kept: string[] = [];
    let room = rivalTokens;
    for (const message of history.toReversed()) {
      const text = textOf(message);
      room -= Math.ceil(text.length / 4);
      if (room < 0) break;
      kept.push(text);
    }
    return kept.reverse().join('\n');
  },
};

function textOf(message: Message): string {
  return blockTexts([message]).join('\n');
}
