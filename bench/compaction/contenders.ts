import { extractAnnex, extractSummary } from '@ctx/compactor';
import { unitsOf } from '@ctx/core';
import { type BaselineOptions, tailThatFits } from './baselines/baseline.ts';
import { lexRank } from './baselines/lex-rank.ts';
import {
  headAndTail,
  hundredCharacters,
  randomLines,
  userAndTools,
} from './baselines/simple-baselines.ts';
import type { Boundary } from './boundaries.ts';
import { textOfHistory } from './text-of-history.ts';

/** Something that may stand in the place of a history. */
export interface Contender {
  readonly name: string;
  readonly write: (boundary: Boundary, options: BaselineOptions) => string;
}

const mark = 'measuredmark';

const baselines: readonly Contender[] = [
  headAndTail,
  randomLines,
  lexRank,
  userAndTools,
  hundredCharacters,
].map(({ name, shorten }) => ({
  name,
  write: ({ history }, options) => shorten(history, options),
}));

/** The summary that the agent's model wrote, and where there is room left, the end of the history. */
export const recorded: Contender = {
  name: 'recorded summary',
  write: ({ summary, history }, options) => {
    const room = options.maxTokens - options.countTokens(summary);
    if (room < 100) return summary;
    return `${summary}\n${tailThatFits(textOfHistory(history), { ...options, maxTokens: room })}`;
  },
};

const ours: Contender = {
  name: 'ctx extractive()',
  write: ({ history }, options) => extractSummary(history, { ...options, mark }),
};

/** The same history compacted part by part, each time with the summary so far. */
export const oursInParts = (parts: number): Contender => ({
  name: `ctx, ${parts} in a chain`,
  write: ({ history }, options) => {
    const units = unitsOf(history);
    let earlier: string | undefined;
    for (let part = 0; part < parts; part += 1) {
      const start = units[Math.floor((part * units.length) / parts)]?.start ?? 0;
      const end = units[Math.floor(((part + 1) * units.length) / parts)]?.start ?? history.length;
      earlier = extractSummary(history.slice(start, end), {
        ...options,
        mark,
        ...(earlier === undefined ? {} : { earlier }),
      });
    }
    return earlier ?? '';
  },
});

/** The recorded summary and so many tokens of lines that it lacks. */
export const withAnnex = (annexTokens: number): Contender => ({
  name: `recorded + ${annexTokens} of ctx`,
  write: ({ summary, history }, options) =>
    `${summary}\n${extractAnnex(history, summary, { ...options, maxTokens: annexTokens, mark })}`,
});

/** Ours without its list of names that stand in no line: names beside each other there say nothing together. */
const oursInLines: Contender = {
  name: 'its lines alone',
  write: (boundary, options) =>
    ours.write(boundary, options).replace(/\n### also named\n[^\n]*/, ''),
};

export const contenders: readonly Contender[] = [recorded, ...baselines, ours, oursInLines];
export const withoutRecording: readonly Contender[] = [...baselines, ours];
