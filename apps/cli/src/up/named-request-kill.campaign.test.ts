import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { serve } from '@ctx/server';
import type { StoreBackend } from '@ctx/store/backend';
import { fsBackend } from '@ctx/store-fs';
import { dropPostgresStore, postgresBackend } from '@ctx/store-postgres';
import { sqliteBackend } from '@ctx/store-sqlite';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { makeTestHome, type TestHome } from '../test-support/run-bin.ts';

// Real processes are started.
vi.setConfig({ testTimeout: 600_000 });

const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js';
const program = fileURLToPath(new URL(`../test-support/serve-child.${extension}`, import.meta.url));

/** In how many of its steps a request is killed, spread over all of them: `CTX_KILLS=1000` for each. */
const kills = Number(process.env['CTX_KILLS'] ?? '12');

const postgres = process.env['CTX_TEST_POSTGRES'] ?? '';

interface Kind {
  readonly kind: string;
  readonly backendAt: (path: string) => StoreBackend;
  readonly newPath: (home: TestHome, place: number) => string;
}

function newSchema(_home: TestHome, place: number): string {
  const url = new URL(postgres);
  const schema = `named_${String(process.pid)}_${String(place)}`;
  url.searchParams.set('schema', schema);
  onTestFinished(() => dropPostgresStore({ url: url.href }));
  return url.href;
}

const kinds: readonly Kind[] = [
  {
    kind: 'sqlite',
    backendAt: (path) => sqliteBackend({ path }),
    newPath: ({ folder }, place) => join(folder, `sqlite-${String(place)}`),
  },
  {
    kind: 'fs',
    backendAt: (path) => fsBackend({ path, durability: 'process' }),
    newPath: ({ folder }, place) => join(folder, `fs-${String(place)}`),
  },
  ...(postgres === ''
    ? []
    : [
        {
          kind: 'postgres',
          backendAt: (url: string) => postgresBackend({ url }),
          newPath: newSchema,
        },
      ]),
];

interface Answer {
  readonly status: number;
  readonly body: string;
  readonly isReplayed: boolean;
}

/** Sends it again while a busy machine does not take it, as `Retry-After` asks. */
async function post(url: string): Promise<Answer> {
  for (;;) {
    const answer = await postOnce(url);
    if (answer.status !== 503 || !answer.body.includes('overloaded')) return answer;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

async function postOnce(url: string): Promise<Answer> {
  const response = await fetch(`${url}/v1/agents/a/items`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'idempotency-key': 'one-request' },
    body: JSON.stringify({ kind: 'NOTE', content: 'done exactly once' }),
  });
  const isReplayed = response.headers.get('idempotency-replayed') === 'true';
  return { status: response.status, body: await response.text(), isReplayed };
}

/** Starts a server that dies in a step of the request. Gives the answer, if it came, and the number of steps, if it lived. */
async function requestAndKill(home: TestHome, argv: readonly string[]) {
  let answering: Promise<Answer | undefined> | undefined;
  const ended = await home.run(argv, {
    onOutput: (text, kill) => {
      const [url] = /http:\/\/\S+/.exec(text) ?? [];
      if (url === undefined || answering !== undefined) return;
      answering = post(url)
        .catch(() => undefined)
        .finally(() => {
          kill('SIGTERM');
        });
    },
  });
  const steps = Number(/steps (\d+)/.exec(ended.stdout)?.[1] ?? 0);
  return { answer: await answering, steps, wasKilled: ended.exitCode === null };
}

describe.each(kinds)('a named request to a server over $kind', ({ kind, backendAt, newPath }) => {
  it('that is killed in any of its steps is done once, and answered at the first retry', async () => {
    const home = makeTestHome(program);
    onTestFinished(home.remove);
    const { steps, answer } = await requestAndKill(home, [kind, newPath(home, 0), '0']);
    expect([answer?.status, steps > 2]).toEqual([201, true]);
    const every = Math.max(1, steps / kills);
    const seen = { killed: 0, done: 0, replayed: 0 };
    for (let at = 1; at <= steps; at += every) {
      const place = Math.floor(at);
      const path = newPath(home, place);
      const first = await requestAndKill(home, [kind, path, String(place)]);
      if (first.wasKilled) seen.killed += 1;
      const server = await serve({ backend: backendAt(path), access: 'none', port: 0 });
      const retried = await post(server.url);
      expect([kind, place, retried.status, retried.body]).toEqual([
        kind,
        place,
        201,
        expect.any(String),
      ]);
      if (first.answer !== undefined) expect(retried.body).toBe(first.answer.body);
      seen[retried.isReplayed ? 'replayed' : 'done'] += 1;
      expect(await post(server.url)).toEqual({ ...retried, isReplayed: true });
      const listed = await fetch(`${server.url}/v1/agents/a/items`);
      const { items } = (await listed.json()) as { readonly items: readonly unknown[] };
      expect([kind, place, items.length]).toEqual([kind, place, 1]);
      await server.stop();
    }
    expect(seen.killed).toBeGreaterThan(0);
    expect(seen.done).toBeGreaterThan(0);
    if (process.env['CTX_KILLS'] !== undefined) console.log(kind, steps, seen);
  });
});
