import { setTimeout as wait } from 'node:timers/promises';
import { WebSocket } from 'ws';
import type { Listening } from '../server/child-server.ts';

/** What a page has asked for and got. */
export interface PageSeen {
  events: number;
  resets: number;
  /** Bytes of events. */
  eventBytes: number;
  requests: number;
  /** Requests with another answer than 200. */
  refused: number;
  /** Bytes of answers. */
  bytes: number;
  /** The newest event that it has. */
  last: number;
}

/** A page that is open, as the dashboard is: it listens, and reads anew what an event makes old. */
export interface OpenPage {
  readonly seen: PageSeen;
  /** Ends it, once what it reads has come. */
  readonly close: () => Promise<void>;
}

/** What a page shows. */
export interface Shown {
  readonly what: 'list' | 'statistics' | { readonly session: string };
  /** The last event that it had; left out, it is opened now. */
  readonly since?: number;
  /** How many pages of the list were scrolled to. Default 1. */
  readonly scrolled?: number;
}

/** How long reading rests between two readings, ms, and how many sessions a page of the list has: as in the dashboard. */
const restMs = 120;
const pageSize = 200;

interface LiveMessage {
  readonly kind: 'ready' | 'event' | 'reset';
  readonly sequence?: number;
  readonly event?: { readonly sequence: number; readonly sessionId?: string };
}

async function ask({ url, key }: Listening, seen: PageSeen, path: string): Promise<string> {
  const response = await fetch(url + path, { headers: { authorization: `Bearer ${key}` } });
  const text = await response.text();
  seen.requests += 1;
  seen.bytes += text.length;
  if (response.status !== 200) seen.refused += 1;
  return text;
}

/** Reads the list as far as it was scrolled. */
async function readList(server: Listening, seen: PageSeen, pages: number): Promise<void> {
  let cursor: string | undefined = '';
  for (let page = 0; page < pages && cursor !== undefined; page += 1) {
    const more: string = cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`;
    const text = await ask(server, seen, `/v1/sessions?limit=${String(pageSize)}${more}`);
    cursor = (JSON.parse(text) as { readonly next?: string }).next;
  }
}

/** What a page of a session asks for. */
const sessionParts = ['', '/requests?from=1', '/use', '/view', '/compactions?limit=200'];

/** Reads what events made old of what it shows. */
async function readShown(
  server: Listening,
  seen: PageSeen,
  { what, scrolled }: Shown,
): Promise<void> {
  if (what === 'statistics') await ask(server, seen, '/v1/stats');
  else if (what === 'list') await readList(server, seen, scrolled ?? 1);
  else {
    const path = `/v1/sessions/${what.session}`;
    await Promise.all(sessionParts.map((part) => ask(server, seen, path + part)));
  }
}

/** Opens a page and keeps it at what is new. */
export function openPage(server: Listening, shown: Shown): OpenPage {
  const seen: PageSeen = {
    ...{ events: 0, resets: 0, eventBytes: 0, requests: 0, refused: 0, bytes: 0 },
    last: shown.since ?? 0,
  };
  const { key, url } = server;
  const socket = new WebSocket(`${url.replace('http', 'ws')}/v1/live`);
  const { since, what } = shown;
  let [isAsked, isClosed] = [false, false];
  let reading: Promise<void> | undefined;
  const readAll = async (): Promise<void> => {
    while (isAsked && !isClosed) {
      isAsked = false;
      await readShown(server, seen, shown);
      await wait(restMs);
    }
    reading = undefined;
  };
  const askForAll = (): void => {
    isAsked = true;
    reading ??= readAll();
  };
  socket.on('open', () => {
    socket.send(JSON.stringify(since === undefined ? { key } : { key, since }));
  });
  socket.on('message', (data: Buffer) => {
    const { kind, event, sequence } = JSON.parse(data.toString('utf8')) as LiveMessage;
    seen.last = event?.sequence ?? sequence ?? seen.last;
    if (event === undefined) {
      if (kind === 'reset') seen.resets += 1;
      if (kind === 'reset' || since === undefined) askForAll();
      return;
    }
    seen.events += 1;
    seen.eventBytes += data.length;
    if (typeof what === 'string' || event.sessionId === what.session) askForAll();
  });
  socket.on('error', () => undefined);
  return {
    seen,
    close: async () => {
      isClosed = true;
      socket.terminate();
      await reading;
    },
  };
}
