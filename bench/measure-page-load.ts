/**
 * What open pages cost a server over SQLite: agents write to 1,000 sessions all the time, 50 pages show the list of sessions or one
 * of them, and read anew what each event makes old, as the dashboard does. Prints how late the turns of the server's loop come, and
 * what a page asks for. Then a page comes back that slept: while it was away came thousands of events, or more than are kept.
 * Ends with 1 where an answer is not 200, a page does not come to the newest event, or the one that slept asks for more than a
 * few times what it shows.
 * Run: `npm run bench -- page-load [--sessions 1000] [--pages 50] [--seconds 30] [--rate 50] [--json]`. Takes about two minutes.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { openPage, type OpenPage, type Shown } from './page-load/open-pages.ts';
import { startChild } from './server/child-server.ts';
import { newestEvent } from './soak/live-readers.ts';

const { values } = parseArgs({
  options: {
    sessions: { type: 'string', default: '1000' },
    pages: { type: 'string', default: '50' },
    seconds: { type: 'string', default: '30' },
    rate: { type: 'string', default: '50' },
    json: { type: 'boolean', default: false },
  },
});

const sessions = Number(values.sessions);
const folder = mkdtempSync(join(tmpdir(), 'ctx-page-'));
const program = fileURLToPath(new URL('./server/ctx-server.js', import.meta.url));
const server = await startChild(program, { args: [folder] });
const failures: string[] = [];
const words = 'the parser reads a line and gives a tree of nodes with their places '.repeat(4);
/** Turns that each session had before. */
const turnsBefore = 6;

async function post(path: string, body: unknown): Promise<void> {
  const response = await fetch(server.url + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${server.key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  await response.arrayBuffer();
  if (!response.ok) failures.push(`POST ${path}: ${String(response.status)}`);
}

const nameOf = (session: number): string => `live-${String(session)}`;

/** A turn of a session's agent: a call with its result, and the request that it makes. */
async function takeTurn(session: number, turn: number): Promise<void> {
  const id = `c${String(turn)}`;
  const args = `{"file":"${String(turn)}"}`;
  const call = { id, type: 'function', function: { name: 'read', arguments: args } };
  await post(`/v1/sessions/${nameOf(session)}/prepare`, {
    windowTokens: 32_000,
    format: 'openai-chat',
    from: 3 * turn,
    messages: [
      { role: 'user', content: `Read file ${String(turn)}` },
      { role: 'assistant', content: null, tool_calls: [call] },
      { role: 'tool', tool_call_id: id, content: `${id} ${words}` },
    ],
  });
}

/** Does work of numbers from 0 to below a count, some at once. */
async function each(count: number, work: (at: number) => Promise<void>): Promise<void> {
  let next = 0;
  const run = async (): Promise<void> => {
    for (let at = next++; at < count; at = next++) await work(at);
  };
  await Promise.all(Array.from({ length: 16 }, run));
}

/** Lets agents write so many turns a second until the time is over. Gives how many turns. */
async function writeFor(seconds: number): Promise<number> {
  const end = performance.now() + seconds * 1000;
  const running: Promise<void>[] = [];
  for (let count = 0; performance.now() < end; count += 1) {
    const turn = turnsBefore + Math.floor(count / sessions);
    running.push(takeTurn((count * 7919) % sessions, turn));
    await wait(1000 / Number(values.rate));
  }
  await Promise.all(running);
  return running.length;
}

/** Half of the pages show one session each, one in ten the statistics; the others the list, one in ten of the pages all of it. */
function shownBy(page: number): Shown {
  if (page % 2 === 1) return { what: { session: nameOf(page) } };
  if (page % 10 === 2) return { what: 'statistics' };
  return { what: 'list', scrolled: page % 10 === 0 ? Math.ceil(sessions / 200) : 1 };
}

async function untilNewest(page: OpenPage): Promise<void> {
  const newest = await newestEvent(server);
  for (let tries = 0; page.seen.last < newest && tries < 300; tries += 1) await wait(100);
  if (page.seen.last < newest) failures.push('a page does not come to the newest event');
}

function sumOf(pages: readonly OpenPage[]) {
  const sum = (name: keyof OpenPage['seen']): number =>
    pages.reduce((total, { seen }) => total + seen[name], 0);
  const refused = sum('refused');
  if (refused > 0) failures.push(`${String(refused)} answers were not 200`);
  return { events: sum('events'), requests: sum('requests'), megabytes: sum('bytes') / 1e6 };
}

/** The server with writers alone, then with pages. */
async function measurePages() {
  const seconds = Number(values.seconds);
  await server.lag();
  await writeFor(seconds / 3);
  const alone = await server.lag();
  const pages = Array.from({ length: Number(values.pages) }, (_, page) =>
    openPage(server, shownBy(page)),
  );
  await wait(2000);
  await server.lag();
  const turns = await writeFor(seconds);
  const withPages = await server.lag();
  for (const page of pages) await untilNewest(page);
  await Promise.all(pages.map((page) => page.close()));
  return { alone, withPages, turns, ...sumOf(pages) };
}

/** A page of the list that comes back after so many events. */
async function wakeAfter(events: number) {
  const since = Math.max(0, (await newestEvent(server)) - events);
  await server.lag();
  const start = performance.now();
  const page = openPage(server, { since, what: 'list' });
  await untilNewest(page);
  const seconds = (performance.now() - start) / 1000;
  await wait(500);
  await page.close();
  const { requests, bytes, eventBytes, resets } = page.seen;
  // One reading follows the first event, and others come while the rest of them do.
  if (requests > 3 + 10 * seconds)
    failures.push(`a page that slept sends ${String(requests)} requests`);
  const got = { requests, kilobytes: bytes / 1000, eventKilobytes: eventBytes / 1000 };
  return {
    away: events,
    events: page.seen.events,
    resets,
    ...got,
    seconds,
    lag: await server.lag(),
  };
}

await each(sessions, async (session) => {
  for (let turn = 0; turn < turnsBefore; turn += 1) await takeTurn(session, turn);
});
const open = await measurePages();
const woken = [
  await wakeAfter(1000),
  await wakeAfter(5000),
  await wakeAfter(9000),
  await wakeAfter(1e6),
];
await server.stop();
rmSync(folder, { recursive: true });
console.log(JSON.stringify({ open, woken, failures }, null, values.json ? undefined : 2));
process.exitCode = failures.length === 0 ? 0 : 1;
