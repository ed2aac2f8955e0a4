import { spawn } from 'node:child_process';
import { mkdirSync, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { afterEach } from 'vitest';
import {
  type BinOptions,
  makeTestHome,
  type TestHome,
} from '../../apps/cli/src/test-support/run-bin.ts';
import type { ScriptedApi } from './apis/scripted-api.ts';
import {
  type ProviderScript,
  type ScriptedProvider,
  scriptedProvider,
  type Turn,
} from './scripted-provider.ts';

/** A client, and how it is started. */
export interface RealClient {
  readonly command: string;
  /** Where its program lies. */
  readonly folder: string;
  readonly api: ScriptedApi;
  readonly judge: ProviderScript['judge'];
  readonly script: readonly Turn[];
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Puts the provider's address where the client looks for it. Returns more environment. */
  readonly pointAt: (url: string, home: string) => Readonly<Record<string, string>>;
}

export interface ClientRun {
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A client in a home of its own, with a provider of its own. */
export interface ClientPlace {
  readonly home: TestHome;
  readonly project: string;
  readonly provider: ScriptedProvider;
  runDirect(): Promise<ClientRun>;
  /** Through `ctx run`, with these flags, and arguments in place of the client's. */
  runWithCtx(
    flags?: readonly string[],
    args?: readonly string[],
    more?: Pick<BinOptions, 'onStart'>,
  ): Promise<ClientRun>;
  close(): Promise<void>;
}

/** The turn with the project's folder in its input. */
function inProject(turn: Turn, project: string): Turn {
  if (typeof turn === 'function' || 'text' in turn) return turn;
  const text = JSON.stringify(turn.input).replaceAll('PROJECT', project);
  return { ...turn, input: JSON.parse(text) as Readonly<Record<string, unknown>> | string };
}

interface Started {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

function runDirect({ command, args }: RealClient, { cwd, env }: Started): Promise<ClientRun> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
    let stdout = '';
    let stderr = '';
    child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
    child.on('error', reject);
    child.on('close', (exitCode) => {
      resolve({ exitCode, stdout, stderr });
    });
  });
}

async function prepareClient(client: RealClient): Promise<ClientPlace> {
  const home = makeTestHome();
  const project = join(home.folder, 'project');
  const own = join(home.folder, 'home');
  mkdirSync(project);
  const { api, judge } = client;
  const script = client.script.map((turn) => inProject(turn, project));
  const provider = await scriptedProvider({ api, judge, script });
  const env = {
    PATH: [client.folder, process.env['PATH'] ?? ''].join(delimiter),
    ...client.env,
    ...client.pointAt(provider.url, own),
  };
  return {
    home,
    project,
    provider,
    runDirect: () => runDirect(client, { cwd: project, env: { ...env, HOME: own } }),
    runWithCtx: (flags = [], args = client.args, more = {}) =>
      home.run(['run', client.command, ...flags, '--', ...args], { cwd: project, env, ...more }),
    close: async () => {
      await provider.close();
      home.remove();
    },
  };
}

/** Opens places that end with the test. Call it at the top of a file of tests. */
export function clientPlaces(): (client: RealClient) => Promise<ClientPlace> {
  const opened: ClientPlace[] = [];
  afterEach(async () => {
    for (const place of opened.splice(0)) await place.close();
  });
  return async (client) => {
    const place = await prepareClient(client);
    opened.push(place);
    return place;
  };
}

export function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

/** The beginning of each item that a request does not have where the one before had it. */
export function changedItems(prefixes: readonly (readonly string[])[]): string[] {
  return prefixes.flatMap((prefix, index) =>
    (prefixes[index - 1] ?? [])
      .filter((item, place) => item !== prefix[place])
      .map((item) => `request ${String(index)}: ${item.slice(0, 300)}`),
  );
}

/** Whether the last request that came holds a text. */
export function lastHolds({ provider }: ClientPlace, text: string): boolean {
  return JSON.stringify(provider.received.at(-1)?.body).includes(text);
}

export function lastLength({ provider }: ClientPlace): number {
  return JSON.stringify(provider.received.at(-1)?.body).length;
}
