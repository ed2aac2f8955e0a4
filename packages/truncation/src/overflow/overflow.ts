/** What an error of a provider says about a request that was too long, tokens. */
export interface Overflow {
  /** Size of the refused request, where the message names it. */
  readonly reportedTokens?: number;
  /** What the model takes, where the message names it. */
  readonly limitTokens?: number;
}

export function overflowOf(_error: unknown): Overflow | undefined {
  return undefined;
}
