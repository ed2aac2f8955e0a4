import { CtxError } from '@ctx/core';
import type { FactService } from '../facts/agent-facts.ts';
import { normaliseFact } from '../facts/normalise-fact.ts';
import type { RememberReceipt } from '../facts/write-fact.ts';
import type { StoreHost } from '../store-host.ts';
import { addFact, type FactChange, type FactInput, supersedeFact } from './facts.ts';
import { appendEntries, type EntryInput } from './history.ts';
import type { HistoryEntry, Session, SessionDocument } from './session-document.ts';
import { sessionExtras } from './session-extras.ts';
import {
  type EnvironmentNote,
  noteEnvironment,
  type PlanChange,
  setPlan,
  setPreference,
} from './session-state.ts';
import { pruneTasks, type TaskChange, updateTask } from './tasks.ts';

/** What became of a fact that was stated in a session. */
export interface FactReceipt {
  readonly session: Session;
  readonly added: boolean;
  /** The fact that said the same already. */
  readonly sameAs?: string;
}

/** What can be kept in mind of one session. Everything that enters is redacted as the store says. */
export interface SessionMemory {
  /** Adds messages to the recent history, with their tokens. */
  append(entries: readonly (EntryInput | HistoryEntry)[]): Promise<Session>;
  addFact(fact: FactInput): Promise<FactReceipt>;
  /** @throws `CTX_NOT_FOUND` where no fact of the session says `old`. */
  supersedeFact(fact: FactInput & { readonly old: string }): Promise<FactReceipt>;
  /**
   * Keeps a fact of this session beyond it, for its agent, with its source.
   * @throws `CTX_NOT_FOUND`.
   */
  promoteFact(text: string, options?: { readonly agentId?: string }): Promise<RememberReceipt>;
  /** Begins or changes a task. Finished ones that are due leave with it. */
  updateTask(change: TaskChange): Promise<Session>;
  noteEnvironment(note: EnvironmentNote): Promise<Session>;
  setPreference(name: string, value: unknown): Promise<Session>;
  setPlan(plan: PlanChange): Promise<Session>;
}

/** Reads and writes the records of sessions. */
export interface SessionRecords {
  get(sessionId: string): Promise<Session | undefined>;
  /**
   * Writes a session whose `version` is the one that was read (0 for a new one, also where a file store has set aside the old one).
   * @throws `CTX_STORE_CONFLICT` if another writer changed it since.
   */
  save(session: Session): Promise<Session>;
  /**
   * Reads (or begins) a session, applies `change`, writes it, and does so again when another writer came between.
   * `change` may run several times, so it must depend on its argument alone. No update is lost. Where `change` gives
   * `undefined` nothing is written, and the session comes back as it was read (`version` 0 where there is none).
   */
  update(sessionId: string, change: (session: Session) => Session | undefined): Promise<Session>;
}

/** The parts of a store that changes of sessions need. */
export interface SessionHost extends Pick<StoreHost, 'clock' | 'countTokens' | 'redactor'> {
  readonly sessions: SessionRecords;
  readonly facts: Pick<FactService, 'remember'>;
}

/** What changes of one session need. */
interface Changing {
  readonly store: SessionHost;
  readonly sessionId: string;
  /** Writes what `work` makes of the document; nothing where it gives the document back as it is. */
  readonly change: (work: (document: SessionDocument) => SessionDocument) => Promise<Session>;
  readonly clean: <Value>(value: Value) => Value;
}

type FactWork = (document: SessionDocument) => FactChange;

async function changeFact({ change }: Changing, work: FactWork): Promise<FactReceipt> {
  let outcome: Omit<FactChange, 'document'> = { added: false };
  const session = await change((before) => {
    const { document, ...rest } = work(before);
    outcome = rest;
    return document;
  });
  return { session, ...outcome };
}

async function promote(
  { store, sessionId }: Changing,
  text: string,
  agentId: string | undefined,
): Promise<RememberReceipt> {
  const session = await store.sessions.get(sessionId);
  const said = normaliseFact(text);
  const fact = session?.document.facts.find((one) => normaliseFact(one) === said);
  if (session === undefined || fact === undefined) {
    throw new CtxError('CTX_NOT_FOUND', `no fact of session ${sessionId} says that`);
  }
  const owner = agentId ?? session.agentId;
  const note = sessionExtras(session.document).fact_notes.find((one) => one.text === fact);
  return store.facts.remember({
    text: fact,
    sessionId,
    source: note?.source ?? 'unknown',
    ...(note === undefined ? {} : { trust: note.trust, pinned: note.pinned === true }),
    ...(owner === undefined ? {} : { agentId: owner }),
  });
}

type FactMethods = Pick<SessionMemory, 'addFact' | 'supersedeFact' | 'promoteFact'>;

function factMethods(changing: Changing): FactMethods {
  const { clean, store } = changing;
  return {
    addFact: (fact) => {
      const admitted = { ...fact, text: clean(fact.text) };
      return changeFact(changing, (document) => addFact(document, admitted, store.clock()));
    },
    supersedeFact: (fact) => {
      const admitted = { ...fact, text: clean(fact.text) };
      return changeFact(changing, (document) => supersedeFact(document, admitted, store.clock()));
    },
    promoteFact: (text, { agentId } = {}) => promote(changing, text, agentId),
  };
}

function stateMethods({ store, change, clean }: Changing): Omit<SessionMemory, keyof FactMethods> {
  const { clock, countTokens } = store;
  return {
    append: (entries) => {
      const admitted = clean(entries);
      return change((document) => appendEntries(document, admitted, { now: clock(), countTokens }));
    },
    updateTask: (task) => {
      const admitted = clean(task);
      return change((document) => {
        const now = clock();
        return pruneTasks(updateTask(document, admitted, now), now);
      });
    },
    noteEnvironment: (note) => {
      const admitted = clean(note);
      return change((document) => noteEnvironment(document, admitted, clock()));
    },
    setPreference: (name, value) => {
      const admitted = clean(value);
      return change((document) => setPreference(document, name, admitted));
    },
    setPlan: (plan) => {
      const admitted = clean(plan);
      return change((document) => setPlan(document, admitted, clock()));
    },
  };
}

/** Works on one session of a store. No update is lost between processes. Does nothing until used; then makes one read and one write each. */
export function sessionMemory(store: SessionHost, sessionId: string): SessionMemory {
  const changing: Changing = {
    store,
    sessionId,
    clean: (value) => store.redactor.redact(value).value,
    change: (work) =>
      store.sessions.update(sessionId, (session) => {
        const document = work(session.document);
        return document === session.document ? undefined : { ...session, document };
      }),
  };
  return { ...factMethods(changing), ...stateMethods(changing) };
}
