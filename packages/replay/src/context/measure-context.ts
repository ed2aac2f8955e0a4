import type { ContextStore } from '@ctx/store';
import { modelProfile } from '@ctx/truncation';
import { contextAnswer } from './context-answer.ts';
import type { ContextUse } from './context-use.ts';
import { type CountedEvent, transcriptContext } from './transcript-context.ts';
import { windowContext } from './window-context.ts';

/** Whose window is measured. */
export interface ContextQuestion {
  readonly sessionId: string;
  readonly windowTokens?: number;
  /** As hooks told it. */
  readonly model?: string;
  /** The events of an imported session, where the caller has read them. */
  readonly read?: readonly CountedEvent[];
}

/** Where the tokens of a session go; `undefined` where its log holds no conversation. Reads the log unless it is handed in. */
export async function measureContext(
  store: ContextStore,
  { sessionId, windowTokens, model: told, read }: ContextQuestion,
): Promise<ContextUse | undefined> {
  const measured =
    (await transcriptContext(store, sessionId, read)) ?? (await windowContext(store, sessionId));
  if (measured === undefined) return undefined;
  const model = told ?? measured.model;
  return contextAnswer(measured, {
    ...(windowTokens === undefined ? {} : { windowTokens }),
    ...(model === undefined ? {} : { modelWindowTokens: modelProfile(model).windowTokens }),
  });
}
