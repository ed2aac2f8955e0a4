import { CtxError } from '@ctx/core';
import type { HistoryEntry, Session, SessionDocument } from './session-document.ts';
import { type FactNote, sessionExtras, withExtras } from './session-extras.ts';
import { readSessionJson, writeSessionJson } from './session-json.ts';
import type { SessionHost } from './session-memory.ts';

/** How a session document is taken in. */
export interface ImportSessionOptions {
  /** Default: the document's own `session_id`. */
  readonly sessionId?: string;
  readonly agentId?: string;
  readonly title?: string;
  /** Where it came from, such as the name of a file. */
  readonly source?: string;
  /** Whether a session of that id is replaced. Default false: then it is a conflict. */
  readonly replace?: boolean;
  /**
   * Whether it is believed what the document says of the trust of its facts and summary, which facts are pinned and what the user ruled:
   * for a file that ctx wrote and nothing else could change. Default false.
   */
  readonly isOwn?: boolean;
}

/** When the messages were written, ms since the epoch. */
function spanOf(history: readonly HistoryEntry[], now: number): { first: number; last: number } {
  const times = history.map(({ timestamp }) => Math.round(timestamp * 1000));
  const sane = times.filter((time) => Number.isSafeInteger(time) && time > 0);
  return { first: sane[0] ?? now, last: sane.reduce((a, b) => Math.max(a, b), sane[0] ?? now) };
}

/** What stands in a foreign file sets no trust, no pin and no rule. */
function unvouched(document: SessionDocument): SessionDocument {
  if (document.ctx === undefined) return document;
  const { fact_notes, superseded_facts } = sessionExtras(document);
  const doubted = <Note extends FactNote>({ pinned: _claimed, ...note }: Note) =>
    ({ ...note, trust: 'untrusted' }) as const;
  return withExtras(document, {
    fact_notes: fact_notes.map(doubted),
    superseded_facts: superseded_facts.map(doubted),
    constraints: [],
    summary_trust: document.long_term_summary === '' ? 'trusted' : 'untrusted',
  });
}

function admitted(
  store: Pick<SessionHost, 'redactor'>,
  text: string,
  { sessionId, isOwn = false }: ImportSessionOptions,
): SessionDocument {
  const given = readSessionJson(text, sessionId);
  const read = isOwn ? given : unvouched(given);
  const id = sessionId ?? read.session_id;
  if (id === '') throw new CtxError('CTX_INVALID_INPUT', 'the session needs an id');
  return { ...store.redactor.redact(read).value, session_id: id };
}

/**
 * Takes in a session document as the seed writes it.
 * Redacted as the store says; everything else comes back from `export` as it was, but for members that were
 * missing or `null`, and, unless `isOwn`, what it claims about trust, pins and rules.
 * @throws `CTX_INVALID_INPUT`, naming the member; `CTX_STORE_CONFLICT` where the session is there already.
 */
export async function importSession(
  store: Pick<SessionHost, 'redactor' | 'clock' | 'sessions'>,
  text: string,
  options: ImportSessionOptions = {},
): Promise<Session> {
  const { sessionId: _id, isOwn: _own, replace = false, ...named } = options;
  const document = admitted(store, text, options);
  const id = document.session_id;
  const before = await store.sessions.get(id);
  if (before !== undefined && !replace) {
    throw new CtxError('CTX_STORE_CONFLICT', `there is a session ${id} already`);
  }
  const { first, last } = spanOf(document.recent_history, store.clock());
  return store.sessions.save({
    createdAt: first,
    ...before,
    ...named,
    id,
    version: before?.version ?? 0,
    updatedAt: Math.max(last, before?.updatedAt ?? last),
    document,
  });
}

/**
 * The session's document as JSON text, with the seed's names.
 * @throws `CTX_NOT_FOUND`.
 */
export async function exportSession(
  { sessions }: Pick<SessionHost, 'sessions'>,
  sessionId: string,
): Promise<string> {
  const session = await sessions.get(sessionId);
  if (session === undefined)
    throw new CtxError('CTX_NOT_FOUND', `there is no session ${sessionId}`);
  return writeSessionJson({ ...session.document, session_id: sessionId });
}
