import { namingFile, readSource } from '@ctx/transcripts/import';
import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { CtxError } from '@ctx/core';
import type { ExplainedRequest } from '@ctx/replay';
import {
  type Conversation,
  conversationOf,
  conversationOfWindow,
  explainStored,
  pointersOf,
} from '@ctx/replay';
import type { ContextStore } from '@ctx/store';
import { readTranscript } from '@ctx/transcripts';
import type { CommandContext, StoreFlags } from '../command-context.ts';
import { findSession } from '../find-session.ts';
import { readSessionEvents } from '../import/read-session-events.ts';
import { withStore } from '../store/open-store-url.ts';

/** A conversation whose requests are explained. */
export interface WhyHistory extends Conversation {
  /** The store that was asked; absent for a file. */
  readonly store?: string;
  /** The window that an agent keeps of it, as it stands. */
  readonly stored?: ExplainedRequest;
}

/** What a history is looked for with. */
export interface HistoryFlags extends StoreFlags {
  readonly window: number;
  /** The request that is asked for; default the last. */
  readonly at?: number;
}

async function historyOfFile(path: string, name: string): Promise<WhyHistory> {
  const source = await readSource(path, name);
  const { events, receipt } = await namingFile(name, () => readTranscript(source));
  const listed = receipt.lanes.filter((lane) => lane.startsWith('session-')).length;
  if (listed > 1) {
    const message = `${name} holds ${String(listed)} sessions; why explains one conversation`;
    throw new CtxError('CTX_USAGE', message);
  }
  return conversationOf(name, events);
}

/** A window may have a log before anybody gave the session a record. */
async function sessionIdOf(store: ContextStore, name: string): Promise<string> {
  const { events } = await store.events.tally(name);
  return events > 0 ? name : (await findSession(store, name)).id;
}

async function historyOfSession(
  context: CommandContext,
  store: ContextStore,
  {
    name,
    url,
    flags,
  }: { readonly name: string; readonly url: string; readonly flags: HistoryFlags },
): Promise<WhyHistory> {
  const id = await sessionIdOf(store, name);
  const read = await readSessionEvents(context, store, { id, what: 'the explanation' });
  if (read.length === 0) {
    const stored = await explainStored(store, id, flags);
    if (stored !== undefined) return { ...conversationOfWindow(id, stored), store: url, stored };
    throw new CtxError('CTX_USAGE', `the log of session ${id} holds no messages`);
  }
  const pointers = pointersOf(read.map(({ stored }) => stored));
  const events = read.map(({ event }) => event);
  return { ...conversationOf(id, events, pointers), store: url };
}

async function isFile(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined)) !== undefined;
}

/** Takes a file where there is one of that name, else a session of the store. Throws: the codes of both. */
export async function loadHistory(
  context: CommandContext,
  name: string,
  flags: HistoryFlags,
): Promise<WhyHistory> {
  const path = resolve(context.host.cwd, name);
  if (await isFile(path)) return historyOfFile(path, name);
  let found: WhyHistory | undefined;
  await withStore(context, flags, async (store, url) => {
    found = await historyOfSession(context, store, { name, url: url.text, flags });
  });
  if (found === undefined) throw new CtxError('CTX_NOT_FOUND', `there is no ${name}`);
  return found;
}
