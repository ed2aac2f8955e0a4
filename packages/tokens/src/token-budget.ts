/** How many tokens something may take. */
export interface TokenBudget {
  /** All there is, such as the context window of a model. */
  readonly limitTokens: number;
  /** Kept free of it, such as the room for the answer. Default 0. */
  readonly reserveTokens?: number;
}

/** Gives the tokens that may still be used, never below 0. */
export function room(budget: TokenBudget, usedTokens: number): number {
  return Math.max(0, budget.limitTokens - (budget.reserveTokens ?? 0) - usedTokens);
}

/** Tells whether `tokens` stay within the budget. Exactly full fits; what is no number does not. */
export function fits(budget: TokenBudget, tokens: number): boolean {
  return tokens <= room(budget, 0);
}
