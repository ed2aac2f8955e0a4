import type { Summarizer } from '../summary/summarizer.ts';
import { extractSummary } from './extract-summary.ts';
import type { ExtractiveRecipe } from './recipe.ts';

/** Options of {@link extractive}. */
export interface ExtractiveOptions {
  /** Shares of the parts, each with its default. */
  readonly recipe?: Partial<ExtractiveRecipe>;
}

/**
 * Makes the summariser that needs no model. It writes no reason and no next step that was not stated.
 * Cannot fail; deterministic; stays within its budget. Costs as much as {@link extractSummary}.
 */
export function extractive(options: ExtractiveOptions = {}): Summarizer {
  const { recipe } = Object(options) as ExtractiveOptions;
  return {
    name: 'extractive',
    summarize: async ({ messages, earlier, around, pointers, maxTokens, countTokens, mark }) => ({
      text: extractSummary(messages, {
        maxTokens,
        countTokens,
        mark,
        ...(earlier === undefined ? {} : { earlier }),
        ...(around === undefined ? {} : { around }),
        ...(pointers === undefined ? {} : { pointers }),
        ...(recipe === undefined ? {} : { recipe }),
      }),
      finish: 'stop',
    }),
  };
}
