import type { ContextStore } from '@ctx/store';
import { type SessionLog, sessionLog } from '@ctx/truncation';
import { type MeasuredContext, type PartTokens, scaledTo, type UsedPart } from './context-use.ts';

type SessionView = Awaited<ReturnType<SessionLog['view']>>;
type ShownSegment = SessionView['segments'][number];
type FixedParts = NonNullable<SessionView['fixed']>;

const partOfKind: Readonly<Record<ShownSegment['kind'], UsedPart>> = {
  user: 'user',
  assistant: 'assistant',
  call: 'calls',
  result: 'results',
  other: 'other',
};

const partOf = ({ kind, form }: ShownSegment): UsedPart =>
  form === 'summarised' ? 'summary' : partOfKind[kind];

/** System prompt and tools apart; what is left, such as notes of an earlier session, stays a part of its own. */
function partsOfFixed({ system, tools, unnamed }: FixedParts, fixedTokens: number): PartTokens {
  const all = tools.reduce((sum, { tokens }) => sum + tokens, unnamed?.tokens ?? 0);
  return { system, tools: all, fixed: fixedTokens - system - all };
}

/**
 * Where the tokens of a window go that is kept in the store, as it stands. `undefined` where the session has none.
 * Sizes are those that its log holds, scaled as its provider reported. Reads the log, and the results in view.
 */
export async function windowContext(
  store: ContextStore,
  sessionId: string,
): Promise<MeasuredContext | undefined> {
  const view = await sessionLog(store, sessionId).view();
  if (view.segments.length === 0) return undefined;
  const { tokens, fixedTokens, fixed, windowTokens, limitTokens } = view;
  const shown: Partial<Record<UsedPart, number>> = {};
  for (const segment of view.segments) {
    const part = partOf(segment);
    shown[part] = (shown[part] ?? 0) + segment.tokens;
  }
  const beside = fixed === undefined ? { fixed: fixedTokens } : partsOfFixed(fixed, fixedTokens);
  const parts = scaledTo({ ...shown, ...beside }, tokens);
  return { source: 'window', parts, windowTokens, limitTokens };
}
