import {
  recordToolCall,
  recordUsage,
  type TokenUse,
  type ToolCallCount,
} from './session-counts.ts';
import type { SessionDocument } from './session-document.ts';

/** What was seen to happen in a session. */
export interface SessionActivity {
  readonly toolCall?: ToolCallCount;
  readonly usage?: TokenUse;
}

/** Observations that wait in memory before they are written. */
export const activityBatch: number = 32;

/** Sessions of which a log knows that it has begun a write. */
const knownSessions = 1000;

/** Gathers what happens in sessions and writes it now and then, in one go. */
export interface ActivityLog {
  /**
   * Notes what happened. Kept in memory; the first observation of a session, so that it is listed, and each {@link activityBatch} begin one
   * write of it, in the background.
   */
  observe(sessionId: string, activity: SessionActivity): void;
  /**
   * Writes what is noted, of one session or all.
   * @throws the codes of the store; what was not written stays noted.
   */
  flush(sessionId?: string): Promise<void>;
  /** Forgets what is noted of a session that is to be deleted, and waits for a write of it that is under way. */
  drop(sessionId: string): Promise<void>;
}

interface Pending {
  readonly calls: Map<string, { calls: number; failures: number }>;
  input: number;
  output: number;
  observations: number;
}

function emptyPending(): Pending {
  return { calls: new Map(), input: 0, output: 0, observations: 0 };
}

function note(pending: Pending, { toolCall, usage }: SessionActivity): void {
  pending.observations += 1;
  if (toolCall !== undefined) {
    const { tool, calls = 1, failures = 0 } = toolCall;
    const known = pending.calls.get(tool) ?? { calls: 0, failures: 0 };
    pending.calls.set(tool, { calls: known.calls + calls, failures: known.failures + failures });
  }
  pending.input += usage?.input ?? 0;
  pending.output += usage?.output ?? 0;
}

/** Puts what could not be written under what was noted meanwhile. */
function giveBack(pending: Pending, unwritten: Pending): void {
  for (const [tool, counts] of unwritten.calls) note(pending, { toolCall: { tool, ...counts } });
  pending.input += unwritten.input;
  pending.output += unwritten.output;
}

function applied(document: SessionDocument, { calls, input, output }: Pending): SessionDocument {
  let next = document;
  for (const [tool, counts] of calls) next = recordToolCall(next, { tool, ...counts });
  return input === 0 && output === 0 ? next : recordUsage(next, { input, output });
}

/** How a session's document is changed, safely against other writers. */
export type DocumentChanger = (
  sessionId: string,
  change: (document: SessionDocument) => SessionDocument,
) => Promise<unknown>;

/** Returns whether an id is asked about for the first time, as far as {@link knownSessions} reach. */
function firstTimes(): (id: string) => boolean {
  const known = new Set<string>();
  return (id) => {
    if (known.has(id)) return false;
    if (known.size === knownSessions) known.clear();
    known.add(id);
    return true;
  };
}

/** Makes the log. The flushes of one session follow one another. */
export function createActivityLog(changeDocument: DocumentChanger): ActivityLog {
  const waiting = new Map<string, Pending>();
  const writing = new Map<string, Promise<void>>();
  const isFirst = firstTimes();
  const pendingOf = (sessionId: string): Pending => {
    const pending = waiting.get(sessionId) ?? emptyPending();
    waiting.set(sessionId, pending);
    return pending;
  };
  const write = async (sessionId: string): Promise<void> => {
    const pending = waiting.get(sessionId);
    if (pending === undefined) return;
    waiting.delete(sessionId);
    try {
      await changeDocument(sessionId, (document) => applied(document, pending));
    } catch (error) {
      giveBack(pendingOf(sessionId), pending);
      throw error;
    }
  };
  const flushOne = async (sessionId: string): Promise<void> => {
    // An earlier flush that failed has told its own caller.
    const before = writing.get(sessionId)?.catch(() => undefined) ?? Promise.resolve();
    const flush = before.then(() => write(sessionId));
    writing.set(sessionId, flush);
    try {
      await flush;
    } finally {
      if (writing.get(sessionId) === flush) writing.delete(sessionId);
    }
  };
  return {
    observe: (sessionId, activity) => {
      const pending = pendingOf(sessionId);
      note(pending, activity);
      const isDue = isFirst(sessionId) || pending.observations >= activityBatch;
      // What fails here stays noted; the next flush that a caller awaits reports it.
      if (isDue && !writing.has(sessionId)) flushOne(sessionId).catch(() => undefined);
    },
    flush: async (sessionId) => {
      const ids = sessionId === undefined ? [...waiting.keys(), ...writing.keys()] : [sessionId];
      for (const id of new Set(ids)) await flushOne(id);
    },
    drop: async (sessionId) => {
      waiting.delete(sessionId);
      await writing.get(sessionId)?.catch(() => undefined);
      waiting.delete(sessionId);
    },
  };
}
