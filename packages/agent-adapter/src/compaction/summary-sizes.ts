/** How large what stands for the oldest messages of a window may be, tokens. */
export interface WindowSummarySizes {
  /** The summary itself. Default 2,000. */
  readonly summaryTokens: number;
  /** Lines chosen without a model, beside a model's summary; `extractive()` may use them, too. Default 1,000. */
  readonly annexTokens: number;
  /** Constraints, decisions, files and the like that code adds where the summary lacks them. Default 1,000. */
  readonly ledgerTokens: number;
}

/** The only place where these numbers stand. Source: the median of recorded summaries is 3,000 tokens. */
export const defaultSummarySizes: WindowSummarySizes = {
  summaryTokens: 2000,
  annexTokens: 1000,
  ledgerTokens: 1000,
};
