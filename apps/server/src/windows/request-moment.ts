import type { ContentBlock } from '@ctx/core';
import type { ContextStore } from '@ctx/store';
import { type SessionLog, sessionLog, type WindowMode } from '@ctx/truncation';
import { LRUCache } from 'lru-cache';
import { notFound } from '../problems/problem.ts';
import type { Aside } from '../routes/sessions/import-members.ts';
import { stateOfSession } from '../sessions/state-of-session.ts';
import type { PlayedWindow } from '../what-if/window-plays.ts';
import type { ImportedWindows } from './imported-windows.ts';
import type { RecordedRequest } from './recorded-requests.ts';
import type { RecordedWindow } from './recorded-window.ts';

/** A window as a request showed it. */
export type SessionView = Awaited<ReturnType<SessionLog['view']>>;
export type ShownSegment = SessionView['segments'][number];

/** A window at a request: how many requests there are, and its blocks as they came. */
export interface Moment {
  readonly view: SessionView;
  readonly requests: number;
  readonly blocks: () => Promise<readonly ContentBlock[]>;
}

/** Which window of a session is meant. */
export interface AskedWindow {
  readonly session: string;
  readonly mode: WindowMode | 'recorded';
}

/** The blocks of the log as they came, in the order of its segments. */
async function blocksOf(
  store: ContextStore,
  session: string,
  segments: readonly ShownSegment[],
): Promise<readonly ContentBlock[]> {
  const last = segments.at(-1);
  if (last === undefined) return [];
  const messages = await sessionLog(store, session).messages({ from: 0, to: last.message });
  return messages.flatMap(({ message }) => message.content);
}

interface LogPlace {
  readonly store: ContextStore;
  readonly session: string;
  /** Where the session was imported: the window that was played. */
  readonly played: PlayedWindow | undefined;
}

/** The events of the requests of a session. */
async function placesOf({ store, session, played }: LogPlace): Promise<readonly number[]> {
  if (played === undefined) return sessionLog(store, session).requests();
  return (await played.sent()).timeline.map(({ sequence }) => sequence);
}

/**
 * What a log tells of a request.
 * @throws 404 for a request that there is not.
 */
async function momentOf(from: LogPlace, at?: number): Promise<Moment> {
  const { store, session } = from;
  const log = sessionLog(store, session);
  const places = await placesOf(from);
  const place = at === undefined ? undefined : places[at - 1];
  if (at !== undefined && place === undefined) throw notFound();
  const view = await log.view(place);
  let blocks: Promise<readonly ContentBlock[]> | undefined;
  return {
    ...{ view, requests: places.length },
    blocks: () => (blocks ??= blocksOf(store, session, view.segments)),
  };
}

/**
 * What the agent of an imported session sent.
 * @throws 404 for a request that there is not.
 */
function recordedMoment(window: RecordedWindow, at?: number): Moment {
  const { requests } = window;
  if (at !== undefined && requests[at - 1] === undefined) throw notFound();
  const found = window.view(at);
  return { view: found.view, requests: requests.length, blocks: async () => found.blocks };
}

/**
 * The state of a session.
 * @throws 404 if there is neither a session of this name nor an event of it.
 */
async function knownState(store: ContextStore, session: string): Promise<string> {
  const { events } = await store.events.tally(session);
  if (events === 0 && (await store.sessions.get(session)) === undefined) throw notFound();
  return stateOfSession(store, session);
}

/** A window, and what is said beside it of an imported session. */
interface FoundMoment {
  readonly moment: Moment;
  readonly found?: Aside;
}

type AskedMoment = AskedWindow & { readonly at?: number };

async function readMoment(
  imported: ImportedWindows,
  store: ContextStore,
  { session, mode, at }: AskedMoment,
): Promise<FoundMoment> {
  const recorded = mode === 'recorded' ? await imported.recorded(store, session) : undefined;
  if (recorded !== undefined) return { moment: recordedMoment(recorded, at), found: recorded };
  const found = await imported.find(store, session, mode === 'recorded' ? 'default' : mode);
  const moment = await momentOf({ store: found?.store ?? store, session, played: found }, at);
  return found === undefined ? { moment } : { moment, found };
}

/** Keeps the newest views of imported sessions, so that paging through one and coming back to it fold no log again. */
const newest = new WeakMap<ImportedWindows, LRUCache<string, Promise<FoundMoment>>>();
/** Of a session of 3,000 messages each takes about 5 MB of memory. */
const mostKept = 12;

/**
 * Finds the window that is asked for, at a request or as it stands.
 * @throws 404.
 */
export async function findMoment(
  { imported }: { readonly imported: ImportedWindows },
  store: ContextStore,
  asked: AskedMoment,
): Promise<FoundMoment> {
  const { session, mode, at } = asked;
  const state = await knownState(store, session);
  const kept = newest.get(imported) ?? new LRUCache({ max: mostKept });
  newest.set(imported, kept);
  const key = JSON.stringify([store.tenant, session, mode, at ?? '', state]);
  const known = kept.get(key);
  if (known !== undefined) return known;
  const read = readMoment(imported, store, asked);
  kept.set(key, read);
  const forget = (): void => {
    kept.delete(key);
  };
  // What failed once is tried again, and what an agent keeps may have lost an output meanwhile.
  read.then(({ found }) => {
    if (found === undefined) forget();
  }, forget);
  return read;
}

/** Finds all requests of a session in a mode, and whether it was imported. */
export async function requestsIn(
  imported: ImportedWindows,
  store: ContextStore,
  { session, mode }: AskedWindow,
): Promise<{ readonly all: readonly RecordedRequest[]; readonly found?: Aside }> {
  const recorded = mode === 'recorded' ? await imported.recorded(store, session) : undefined;
  if (recorded !== undefined) return { all: recorded.requests, found: recorded };
  const asked = mode === 'recorded' ? 'default' : mode;
  const { timeline: all, played } = await imported.sent(store, session, asked);
  return played === undefined ? { all } : { all, found: played };
}
