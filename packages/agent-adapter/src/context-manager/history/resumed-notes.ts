import type { Message } from '@ctx/core';
import { type KeptNotes, keptMember, keptNotesOf, managerNotes } from '../manager-notes.ts';
import type { ManagerSettings } from '../manager-settings.ts';
import { keyOfMessage } from './compare-messages.ts';
import type { HostHistory } from './host-history.ts';

/** What a model is told first of a session that goes on without its history. */
export interface ResumedNotes {
  readonly tokens: number;
  /** Returns a host's history without the notes: a host may hand in what it was returned. */
  without(messages: readonly Message[]): readonly Message[];
  /** Puts the notes before a request. */
  before(messages: readonly Message[]): readonly Message[];
}

/** Notes take at most one part in so many of the window. */
const windowShare = 16;

/** An element like those of hosts: no reader takes what stands in it for the user's words. */
const [opening, closing] = ['<ctx-notes>', '</ctx-notes>'];

const noteMessage = (text: string): Message => ({
  role: 'user',
  content: [{ type: 'text', text }],
});

function isNote(message: Message | undefined, text: string): boolean {
  const [only, ...others] = message?.content ?? [];
  return only?.type === 'text' && others.length === 0 && only.text === text;
}

/** How many messages of the host's system prompt come first: notes and conversation follow them. */
function leadOf(messages: readonly Message[]): number {
  const lead = messages.findIndex(({ role }) => role !== 'system');
  return lead < 0 ? messages.length : lead;
}

function withoutNote(messages: readonly Message[], text: string): readonly Message[] {
  const lead = leadOf(messages);
  if (text === '' || !isNote(messages[lead], text)) return messages;
  return [...messages.slice(0, lead), ...messages.slice(lead + 1)];
}

function withNote(messages: readonly Message[], note: Message): readonly Message[] {
  const lead = leadOf(messages);
  return [...messages.slice(0, lead), note, ...messages.slice(lead)];
}

/** Writes the notes of a conversation that begins with a message of this key, and keeps them. */
async function writeKept(
  { store, sessionId }: ManagerSettings,
  key: string,
  maxTokens: number,
): Promise<KeptNotes> {
  const { text: notes, rules } = await managerNotes(store, sessionId, { maxTokens });
  const told = `${opening}\n${notes.replaceAll(closing, '')}\n${closing}`;
  const kept = { text: notes === '' ? '' : told, key, rules: [...rules] };
  await store.sessions.update(sessionId, (session) => {
    const system_state = { ...session.document.system_state, [keptMember]: kept };
    return { ...session, document: { ...session.document, system_state } };
  });
  return kept;
}

/**
 * Makes the notes if the log knows nothing of these messages, and finds them again if a process before made them for this conversation.
 * Reads the session's document; new notes read the log and the pointers.
 */
export async function resumedNotes(
  settings: ManagerSettings,
  history: HostHistory,
  messages: readonly Message[],
): Promise<ResumedNotes> {
  const { profile, countTokens, resumeNotes } = settings;
  const kept = keptNotesOf(await settings.store.sessions.get(settings.sessionId));
  const given = withoutNote(messages, kept?.text ?? '');
  const lead = leadOf(given);
  const first = given[lead];
  const key = first === undefined ? '' : keyOfMessage(first);
  const maxTokens = Math.min(resumeNotes, Math.floor(profile.windowTokens / windowShare));
  const isNew = history.beginsAnew(given, lead);
  const told = isNew ? await writeKept(settings, key, maxTokens) : kept;
  const text = told?.key === key ? told.text : '';
  const note = noteMessage(text);
  return {
    tokens: text === '' ? 0 : countTokens(text),
    without: (list) => withoutNote(list, text),
    before: (list) => (text === '' ? list : withNote(list, note)),
  };
}
