import type { ContextPointer } from '@ctx/core';
import { type ContextStore, type Session, sessionExtras, taskState } from '@ctx/store';
import { offloadPolicy } from '../insert/offload-policy.ts';
import { sessionPointers } from '../insert/session-pointers.ts';
import { pointerLine, quoted } from './pointer-line.ts';
import { type NoteSection, writeNotes } from './write-notes.ts';

/** What is known of a session beside its document and its outputs; texts may be of any length. */
export interface KnownOfSession {
  /** What the user asked, first and last. Default: as the document's history has it. */
  readonly requests?: readonly string[];
  /** Standing rules of the user, newest first. */
  readonly rules?: readonly string[];
  /** Open tasks that the document does not hold. */
  readonly tasks?: readonly string[];
  /** What else is worth telling if there is room, most important first. */
  readonly said?: readonly string[];
  /** Says what this is and how an address is read. */
  readonly opening: string;
  /** Default 2,000. */
  readonly maxTokens?: number;
}

/** The share of the tokens that each list may take; outputs take what is left. */
const shares = { requests: 0.25, rules: 0.2, tasks: 0.15, pinned: 0.1 };

/**
 * The outputs, newest first. Of each file its newest, and every one that was too large to be shown: its address was all that the model
 * had of it.
 */
async function outputsOf(store: ContextStore, sessionId: string): Promise<ContextPointer[]> {
  const { offloadFromTokens } = offloadPolicy();
  const outputs = new Map<string, ContextPointer>();
  for await (const pointer of sessionPointers(store, sessionId)) {
    const { id, path, tokens } = pointer;
    const isAlone = path === undefined || tokens >= offloadFromTokens;
    const subject = isAlone ? `id ${id}` : `path ${path}`;
    outputs.delete(subject);
    outputs.set(subject, pointer);
  }
  return [...outputs.values()].toReversed();
}

async function pinnedFacts(store: ContextStore, session: Session | undefined): Promise<string[]> {
  const own = session === undefined ? [] : sessionExtras(session.document).fact_notes;
  const agentId = session?.agentId;
  const owner = agentId === undefined ? {} : { agentId };
  const { entries } = await store.facts.list({ ...owner, limit: 200 });
  return [...own, ...entries].filter(({ pinned }) => pinned === true).map(({ text }) => text);
}

type SessionTask = Session['document']['active_tasks'][number];

function textMember(task: SessionTask, name: string): string {
  const value = task[name];
  return typeof value === 'string' ? value : '';
}

function taskLine(task: SessionTask): string {
  const text = textMember(task, 'description') || textMember(task, 'id');
  const status = textMember(task, 'status');
  return status === '' ? quoted(text) : `${quoted(text)} (${quoted(status)})`;
}

function listOf(heading: string, share: number, lines: readonly string[]): NoteSection {
  const told = [...new Set(lines.map(quoted))].filter((line) => line !== '');
  return { heading, share, lines: told.map((line) => `- ${line}`) };
}

/** What the user asked. Once a document was compacted, the first request that it holds is not that of the session. */
function requestsOf(session: Session | undefined, known?: readonly string[]): NoteSection {
  const { recent_history = [], long_term_summary } = session?.document ?? {};
  const held = recent_history.filter(({ role }) => role === 'user').map(({ content }) => content);
  const isCut = known === undefined && long_term_summary;
  const asked = (known ?? [held[0], held.at(-1)]).slice(isCut ? -1 : 0);
  const texts = asked.filter((text) => typeof text === 'string');
  return listOf(`The user asked${isCut ? '' : ', first and'} last:`, shares.requests, texts);
}

/**
 * Returns the notes for a model that resumes a session, after a compaction or in another process: the user's requests and standing rules,
 * open tasks, and the address of every output, newest first. Empty if there are none. Keeps to `maxTokens`; each quoted text is one line.
 */
export async function sessionNotes(
  store: ContextStore,
  sessionId: string,
  { requests, rules = [], tasks = [], said = [], opening, maxTokens = 2000 }: KnownOfSession,
): Promise<string> {
  const session = await store.sessions.get(sessionId);
  const own = (session?.document.active_tasks ?? []).filter((task) => !taskState(task).isOver);
  const outputs = await outputsOf(store, sessionId);
  const sections: NoteSection[] = [
    requestsOf(session, requests),
    listOf('Rules of the user:', shares.rules, rules),
    listOf('Pinned facts:', shares.pinned, await pinnedFacts(store, session)),
    listOf('Open tasks:', shares.tasks, [...own.map(taskLine), ...tasks]),
    { heading: 'Outputs, newest first:', lines: outputs.map(pointerLine) },
    listOf('Said before:', 1, said),
  ];
  return writeNotes(opening, sections, { maxTokens, countTokens: store.countTokens });
}
