import type { ContextStore } from '@ctx/store';
import { sessionLog } from '@ctx/truncation';
import { measureContext } from '../context/measure-context.ts';
import { type Conversation, conversationOfWindow } from './conversation.ts';
import { explainStored, type StoredOptions } from './explain-stored.ts';
import type { ExplainedRequest } from './explained.ts';
import { importedConversation } from './play-imported.ts';

/** A conversation of a store, and its window where an agent keeps one. */
export interface SessionConversation extends Conversation {
  /** The window that an agent keeps, explained. Absent for a session that was imported or only watched: `explainRequest` plays it. */
  readonly stored?: ExplainedRequest;
  /** How large the window of its model is, as `ctx status` says it. */
  readonly windowTokens?: number;
  /** Whether a proxy only watched it. */
  readonly isWatched?: boolean;
}

/** Whether a proxy passed all of a session's requests on as they came, so that no window decided any. */
export async function isOnlyWatched(store: ContextStore, sessionId: string): Promise<boolean> {
  const session = await store.sessions.get(sessionId);
  if (session?.source?.startsWith('proxy:') !== true) return false;
  return (await sessionLog(store, sessionId).requests()).length === 0;
}

/**
 * Returns the conversation of a session, imported or kept by an agent; `undefined` if its log holds no messages.
 *
 * @throws `CTX_ABORTED`; `CTX_STORE_CORRUPT` if an output is missing; `CTX_INVALID_ADDRESS` for a request that there is not.
 */
export async function conversationOfSession(
  store: ContextStore,
  sessionId: string,
  { signal, ...options }: StoredOptions & { readonly signal?: AbortSignal },
): Promise<SessionConversation | undefined> {
  const reading = signal === undefined ? {} : { signal };
  const imported = await importedConversation(store, sessionId, reading);
  if (imported !== undefined) {
    const use = await measureContext(store, { sessionId });
    return { ...imported, ...(use === undefined ? {} : { windowTokens: use.windowTokens }) };
  }
  const isWatched = await isOnlyWatched(store, sessionId);
  const stored = await explainStored(store, sessionId, isWatched ? {} : options);
  if (stored === undefined) return undefined;
  return {
    ...conversationOfWindow(sessionId, stored),
    windowTokens: stored.windowTokens,
    ...(isWatched ? { isWatched } : { stored }),
  };
}
