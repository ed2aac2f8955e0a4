/** Where tokens of a window go. `fixed`: the system prompt and the tools, where only their sum is known. */
export const usedParts = [
  'system',
  'tools',
  'fixed',
  'summary',
  'user',
  'assistant',
  'calls',
  'results',
  'other',
] as const;

export type UsedPart = (typeof usedParts)[number];

/** Tokens of each part; none stands for 0. */
export type PartTokens = Readonly<Partial<Record<UsedPart, number>>>;

/** What fills a window, before it is told how large the window is. */
export interface MeasuredContext {
  /** `window`: a window of ctx that is kept in the store. `transcript`: what the imported conversation's own agent last showed its model. */
  readonly source: 'window' | 'transcript';
  readonly parts: PartTokens;
  readonly windowTokens?: number;
  readonly limitTokens?: number;
  readonly model?: string;
  /** The largest request that its provider reported. */
  readonly largestTokens?: number;
}

/** Where the tokens of a session's window go. Sizes in tokens. */
export interface ContextUse {
  /** `window`: a window of ctx, as it stands. `transcript`: what the imported conversation's agent showed its model last. */
  readonly source: MeasuredContext['source'];
  readonly windowTokens: number;
  /** Whether the size of the window is assumed because nothing tells it. */
  readonly isAssumed: boolean;
  /** The sum of all parts. */
  readonly tokens: number;
  /** What uses them, in the order of {@link usedParts}; parts with nothing are left out. */
  readonly parts: readonly { readonly part: UsedPart; readonly tokens: number }[];
  readonly freeTokens: number;
  /** Tokens reserved for the answer. */
  readonly reserveTokens: number;
}

/** Sum of all parts. */
export function partsTotal(parts: PartTokens): number {
  return usedParts.reduce((sum, part) => sum + (parts[part] ?? 0), 0);
}

/** What a whole number may be short of itself by after some arithmetic. */
const rounding = 1e-6;

/**
 * Scales parts so that they come to a total that is known better than they are.
 * Whole numbers, none below 0; their sum is `total` unless every part is 0. What rounding leaves goes to the largest.
 */
export function scaledTo(parts: PartTokens, total: number): PartTokens {
  const sum = partsTotal(parts);
  if (sum === 0) return {};
  const scaled = usedParts
    .map((part) => [part, Math.floor(((parts[part] ?? 0) * total) / sum + rounding)] as const)
    .filter(([part]) => (parts[part] ?? 0) > 0);
  const left = total - scaled.reduce((all, [, tokens]) => all + tokens, 0);
  const most = Math.max(...scaled.map(([, tokens]) => tokens));
  const largest = scaled.findIndex(([, tokens]) => tokens === most);
  return Object.fromEntries(
    scaled.map(([part, tokens], index) => [part, index === largest ? tokens + left : tokens]),
  );
}
