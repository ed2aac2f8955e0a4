import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { CtxError, repairMessages } from '@ctx/core';
import type { ReplaySession } from '@ctx/replay';
import type { ContextStore } from '@ctx/store';
import type { ToolSchema } from '@ctx/tokens';
import {
  lastViewOf,
  readTranscript,
  requestsOf,
  type StoredEvent,
  type TranscriptEvent,
  toolsOf,
} from '@ctx/transcripts';
import { pointerUri } from '@ctx/truncation';
import type { CommandContext, StoreFlags } from '../command-context.ts';
import { findSession } from '../find-session.ts';
import { namingFile, readSource } from '../fit/read-source.ts';
import { readSessionEvents } from '../import/read-session-events.ts';
import { recordedTimes, systemText } from '../replay/load-sessions.ts';
import { withStore } from '../store/open-store-url.ts';
import { explainStored } from './explain-stored.ts';
import type { ExplainedRequest } from './explained.ts';

/** A conversation whose requests are explained. */
export interface WhyHistory {
  readonly session: ReplaySession;
  readonly tools: readonly ToolSchema[];
  /** Addresses of the results that a store keeps, by call id. */
  readonly pointers: ReadonlyMap<string, string>;
  /** Messages of the record that the model did not see any more. */
  readonly asideMessages: number;
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

function historyOfEvents(
  id: string,
  events: readonly TranscriptEvent[],
  kept: Pick<WhyHistory, 'pointers' | 'store'>,
): WhyHistory {
  const view = lastViewOf(events);
  const { messages } = repairMessages(view.messages);
  const times = recordedTimes(requestsOf(view.events, { lane: view.lane }));
  const system = systemText(view.system);
  const session = {
    id,
    messages,
    ...(system === undefined ? {} : { system }),
    ...(times === undefined ? {} : { times }),
  };
  return { session, tools: toolsOf(events), asideMessages: view.asideMessages, ...kept };
}

async function historyOfFile(path: string, name: string): Promise<WhyHistory> {
  const source = await readSource(path, name);
  const { events, receipt } = await namingFile(name, () => readTranscript(source));
  const listed = receipt.lanes.filter((lane) => lane.startsWith('session-')).length;
  if (listed > 1) {
    const message = `${name} holds ${String(listed)} sessions; why explains one conversation`;
    throw new CtxError('CTX_USAGE', message);
  }
  return historyOfEvents(name, events, { pointers: new Map() });
}

/** Addresses of the results of an event, by call id. */
function pointersOf({ event, results }: StoredEvent): [string, string][] {
  return results.flatMap(({ block, output }): [string, string][] => {
    const found = event.message?.content[block];
    return found?.type === 'tool_result' ? [[found.toolUseId, pointerUri(output)]] : [];
  });
}

/** A session whose messages are in the log of its window. */
function historyOfWindow(id: string, stored: ExplainedRequest, store: string): WhyHistory {
  const messages = [...new Set(stored.segments.map(({ message }) => message))];
  const results = stored.segments.flatMap(({ block, reason }): [string, string][] => {
    const isKept = block.type === 'tool_result' && reason.pointer.startsWith('ctx://outputs/');
    return isKept ? [[block.toolUseId, reason.pointer]] : [];
  });
  const pointers = new Map(results);
  return { session: { id, messages }, tools: [], pointers, asideMessages: 0, store, stored };
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
    if (stored !== undefined) return historyOfWindow(id, stored, url);
    throw new CtxError('CTX_USAGE', `the log of session ${id} holds no messages`);
  }
  const pointers = new Map(read.flatMap(({ stored }) => pointersOf(stored)));
  const events = read.map(({ event }) => event);
  return historyOfEvents(id, events, { pointers, store: url });
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
