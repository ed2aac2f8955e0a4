/**
 * The proxy for a team: conversations go on at once through several `ctx up --proxy` over one PostgreSQL, each request to another
 * process, while processes are killed and come back. Counts what may not be: a request that does not begin with the one before
 * without a flush in its log, a request that a provider would refuse, a conversation that does not go on. Prints what the proxy adds
 * until the provider has a request, and what as many processes add that only hand on. Ends with 1 where anything was lost.
 * Run: `npm run bench -- proxy-team --url postgres://ctx@127.0.0.1:5432/ctx [--conversations 200] [--turns 40] [--servers 3]
 * [--kills 3] [--think 24000] [--seed 1] [--schema ctx_team] [--json]`. Takes about ten minutes; the schema is dropped at the end.
 * `--think`: longest pause before a request, ms. From one request to the next 12.2 s pass in recorded sessions of Codex, 24 in those of
 * Claude Code (means, without pauses over five minutes): with pauses of 12 s on average, 200 conversations ask 16 times a second.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { dropPostgresStore, openPostgresStore } from '@ctx/store-postgres';
import { sessionLog } from '@ctx/truncation';
import {
  nothingSeen,
  type TeamLoad,
  type TeamSeen,
  warmUp,
  workAsTeam,
} from './proxy/team-agents.ts';
import { startProvider, type TeamProvider } from './proxy/team-provider.ts';

const { values } = parseArgs({
  options: {
    url: { type: 'string', default: process.env['CTX_TEST_POSTGRES'] ?? '' },
    conversations: { type: 'string', default: '200' },
    turns: { type: 'string', default: '40' },
    servers: { type: 'string', default: '3' },
    kills: { type: 'string', default: '3' },
    think: { type: 'string', default: '24000' },
    seed: { type: 'string', default: '1' },
    schema: { type: 'string', default: 'ctx_team' },
    json: { type: 'boolean', default: false },
  },
});

const { url, schema } = values;
const bin = fileURLToPath(new URL('../../apps/cli/dist/bin.js', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'ctx-team-'));
/** How long a killed process stays away, ms. */
const awayMs = 2000;

/** A process of `ctx up --proxy`. */
interface TeamServer {
  readonly process: ChildProcess;
  readonly port: number;
  /** File with the key of this machine, which all of them have. */
  readonly keyFile: string;
  readonly said: string[];
}

/** A process that only hands on. */
interface TeamBare {
  readonly process: ChildProcess;
  readonly url: string;
}

function storeUrl(): string {
  const place = new URL(url);
  place.searchParams.set('schema', schema);
  return place.href;
}

async function startServer(provider: TeamProvider, port: number): Promise<TeamServer> {
  const args = ['up', '--proxy', '--json', '--port', String(port), '--store', storeUrl()];
  const child = spawn(process.execPath, [bin, ...args, '--upstream', `anthropic=${provider.url}`], {
    env: { PATH: process.env['PATH'], HOME: folder, XDG_DATA_HOME: folder },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const said: string[] = [];
  child.stderr.on('data', (piece: Buffer) => void said.push(String(piece)));
  const answer = await new Promise<string>((resolve, reject) => {
    child.once('exit', () => {
      reject(new Error(`a server ended: ${said.join('')}`));
    });
    child.stdout.once('data', (piece: Buffer) => {
      resolve(String(piece));
    });
  });
  child.stdout.on('data', (piece: Buffer) => void said.push(String(piece)));
  return { process: child, said, ...(JSON.parse(answer) as Pick<TeamServer, 'port' | 'keyFile'>) };
}

/** As many processes that only hand on, to tell what the machine itself takes. */
async function startBare({ url }: TeamProvider): Promise<TeamBare[]> {
  const program = fileURLToPath(new URL('proxy/pass-through.js', import.meta.url));
  const starting = Array.from({ length: Number(values.servers) }, async () => {
    const child = spawn(process.execPath, [program, url], { stdio: ['ignore', 'pipe', 'inherit'] });
    const [port] = (await once(child.stdout, 'data')) as [Buffer];
    return { process: child, url: `http://127.0.0.1:${String(port).trim()}` };
  });
  return Promise.all(starting);
}

async function end(server: Pick<TeamServer, 'process'>, signal: NodeJS.Signals): Promise<void> {
  const gone = once(server.process, 'exit');
  server.process.kill(signal);
  await gone;
}

/** Kills one process after the other while the conversations go on, and starts it again at its place. */
async function killInTurn(servers: TeamServer[], provider: TeamProvider, seen: TeamSeen) {
  const kills = Number(values.kills);
  const all = Number(values.conversations) * Number(values.turns);
  for (let kill = 0; kill < kills; kill += 1) {
    while (seen.answered < ((kill + 1) * all) / (kills + 1)) await wait(50);
    const at = kill % servers.length;
    const old = servers[at];
    if (old === undefined) return;
    await end(old, 'SIGKILL');
    await wait(awayMs);
    servers[at] = await startServer(provider, old.port);
  }
}

/** What the logs of the sessions say. */
interface Logged {
  readonly sessions: number;
  readonly requests: number;
  readonly flushes: ReadonlyMap<string, number>;
  readonly rewinds: number;
}

async function readLogs(): Promise<Logged> {
  const store = await openPostgresStore({ url, schema, maxConnections: 4 });
  const flushes = new Map<string, number>();
  let [sessions, requests, rewinds] = [0, 0, 0];
  const { entries } = await store.sessions.list({ limit: 1000 });
  for (const { id: sessionId } of entries) {
    const session = await store.sessions.get(sessionId);
    const { timeline } = await sessionLog(store, sessionId).sent();
    const name = String(session?.document.system_state['proxy_conversation']);
    const count = timeline.filter(({ flush }) => flush !== undefined).length;
    flushes.set(name, (flushes.get(name) ?? 0) + count);
    sessions += 1;
    requests += timeline.length;
    rewinds += timeline.filter(({ isAfterRewind }) => isAfterRewind === true).length;
  }
  await store.close();
  return { sessions, requests, flushes, rewinds };
}

function timesOf(all: readonly number[]): { readonly p50: number; readonly p95: number } {
  const sorted = all.toSorted((a, b) => a - b);
  const at = (share: number): number => sorted[Math.floor((sorted.length - 1) * share)] ?? 0;
  return { p50: at(0.5), p95: at(0.95) };
}

/** What was not as it has to be. */
function failuresOf({ arrived }: TeamProvider, seen: TeamSeen, logged: Logged): string[] {
  const conversations = Number(values.conversations);
  const broken = [...arrived].filter(
    ([name, { changes }]) => changes > (logged.flushes.get(name) ?? 0),
  );
  const unpaired = [...arrived.values()].filter((one) => one.unpaired > 0).length;
  return [
    ...(seen.ended < conversations ? [`${String(conversations - seen.ended)} did not go on`] : []),
    ...broken.map(([name]) => `${name}: its prefix changed without a flush`),
    ...(unpaired > 0 ? [`${String(unpaired)} conversations with calls without results`] : []),
    ...(logged.sessions === arrived.size ? [] : [`${String(logged.sessions)} sessions`]),
    ...(logged.requests < seen.answered ? ['requests went out that no log knows'] : []),
    ...(logged.rewinds > 0 ? [`${String(logged.rewinds)} went back`] : []),
  ];
}

async function measure(): Promise<void> {
  const provider = await startProvider();
  const first = await startServer(provider, 0);
  const more = Array.from({ length: Number(values.servers) - 1 }, () => startServer(provider, 0));
  const servers = [first, ...(await Promise.all(more))];
  const bare = await startBare(provider);
  const key = readFileSync(first.keyFile, 'utf8').trim();
  const seen = nothingSeen();
  const load: TeamLoad = {
    provider,
    bases: servers.map(({ port }) => `http://127.0.0.1:${String(port)}/t/${key}`),
    bare: bare.map((one) => one.url),
    conversations: Number(values.conversations),
    turns: Number(values.turns),
    thinkMs: Number(values.think),
    seed: Number(values.seed),
  };
  await warmUp(load);
  const start = performance.now();
  await Promise.all([workAsTeam(load, seen), killInTurn(servers, provider, seen)]);
  const seconds = (performance.now() - start) / 1000;
  const said = servers.flatMap((server) => server.said);
  await Promise.all([...servers, ...bare].map((server) => end(server, 'SIGTERM')));
  const logged = await readLogs();
  provider.close();
  const failures = failuresOf(provider, seen, logged);
  const arrived = [...provider.arrived.values()];
  const sum = (of: (one: (typeof arrived)[number]) => number): number =>
    arrived.reduce((total, one) => total + of(one), 0);
  const report = {
    seconds,
    requests: seen.answered,
    kilobytes: sum(({ bytes }) => bytes) / sum(({ requests }) => requests) / 1000,
    sentAgain: Object.fromEntries(seen.refused),
    flushes: [...logged.flushes.values()].reduce((total, count) => total + count, 0),
    changes: sum(({ changes }) => changes),
    direct: timesOf(seen.direct),
    through: timesOf(seen.through),
    added: timesOf(seen.added),
    addedBare: timesOf(seen.addedBare),
    failures,
    said: said.join('').split('\n').slice(0, 20),
  };
  console.log(JSON.stringify(report, null, values.json ? undefined : 2));
  process.exitCode = failures.length === 0 ? 0 : 1;
}

if (url === '') {
  console.error('No PostgreSQL: name one by --url or CTX_TEST_POSTGRES.');
  process.exitCode = 2;
} else {
  await measure();
  await dropPostgresStore({ url, schema });
  rmSync(folder, { recursive: true });
}
