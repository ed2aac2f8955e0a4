import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { CtxError } from '@ctx/core';
import { conversationOf, conversationOfSession } from '@ctx/replay';
import type { ContextStore } from '@ctx/store';
import { readTranscriptFile } from '@ctx/transcripts/import';
import type { CommandContext, StoreFlags } from '../command-context.ts';
import { findSession } from '../find-session.ts';
import { withStore } from '../store/open-store-url.ts';

type SessionConversation = NonNullable<Awaited<ReturnType<typeof conversationOfSession>>>;

/** A conversation whose requests are explained. */
export interface WhyHistory extends SessionConversation {
  /** The store that was asked; absent for a file. */
  readonly store?: string;
}

/** What a history is looked for with. */
export interface HistoryFlags extends StoreFlags {
  /** The request that is asked for; default the last. */
  readonly at?: number;
}

async function historyOfFile(path: string, name: string): Promise<WhyHistory> {
  const { events, receipt } = await readTranscriptFile(path, { name });
  const listed = receipt.lanes.filter((lane) => lane.startsWith('session-')).length;
  if (listed > 1) {
    const message = `${name} holds ${String(listed)} sessions; why explains one conversation`;
    throw new CtxError('CTX_USAGE', message);
  }
  return conversationOf(name, events);
}

/** A window may have a log before the session has a record. */
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
  const { signal } = context.host;
  const conversation = await conversationOfSession(store, id, { ...flags, signal });
  if (conversation !== undefined) return { ...conversation, store: url };
  throw new CtxError('CTX_USAGE', `the log of session ${id} holds no messages`);
}

async function isFile(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined)) !== undefined;
}

/** Takes a file where there is one of that name, else a session of the store; throws the codes of both. */
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
