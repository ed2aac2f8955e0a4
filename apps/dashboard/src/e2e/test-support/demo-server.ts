import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openTenants, type TenantStores } from '@ctx/core/serving';
import { serve, type ServingServer } from '@ctx/server';
import { createClient, type CtxClient } from '@ctx/server/client';
import { sqliteBackend } from '@ctx/store-sqlite';

/** The real server over a file, and a second opening of the file, as another process has it. */
export interface DemoServer {
  readonly url: string;
  readonly key: string;
  readonly client: CtxClient;
  readonly server: ServingServer;
  /** Whoever writes here is seen by the server in its log alone. */
  readonly other: TenantStores;
  /** Ends the server, and begins another at the same port. */
  readonly restart: () => Promise<void>;
  readonly stop: () => Promise<void>;
}

const limits = { maxLagMs: 0, stopMs: 200 };

export async function startDemoServer(): Promise<DemoServer> {
  const folder = mkdtempSync(join(tmpdir(), 'ctx-dashboard-'));
  const path = join(folder, 'store.db');
  let server = await serve({ backend: sqliteBackend({ path }), port: 0, limits });
  const { port, url } = server;
  const { text: key } = await server.stores.keys.create({
    tenant: 'default',
    scope: 'admin',
    label: 'test',
  });
  const other = await openTenants(sqliteBackend({ path }), {});
  return {
    url,
    key,
    client: createClient({ url, key }),
    get server() {
      return server;
    },
    other,
    restart: async () => {
      await server.stop();
      server = await serve({ backend: sqliteBackend({ path }), port, limits });
    },
    stop: async () => {
      await other.close();
      await server.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

const recording = new URL('../../../../cli/demo/session.json', import.meta.url);

interface Recording {
  readonly messages: readonly Record<string, unknown>[];
  readonly system: string;
}

/** Sends the recorded session request by request, as an agent would, and saves items for its agent. */
export async function fillDemo(demo: DemoServer, windowTokens = 64_000): Promise<void> {
  const { client } = demo;
  const { messages, system } = JSON.parse(readFileSync(recording, 'utf8')) as Recording;
  const params = { path: { session: 'demo' } };
  let from = 0;
  for (const [place, { role }] of messages.entries()) {
    if (role !== 'assistant') continue;
    const added = messages.slice(from, place);
    const body = { messages: added, from, system, windowTokens, agentId: 'demo-agent' };
    const format = 'anthropic' as const;
    await client.POST('/v1/sessions/{session}/prepare', { params, body: { ...body, format } });
    from = place;
  }
  const agent = { path: { agent: 'demo-agent' } };
  for (const [number, kind] of ['TASK', 'CODE', 'ERROR', 'NOTE', 'TASK', 'CODE'].entries()) {
    const body = { kind, content: `Item number ${String(number)} of the demo` };
    await client.POST('/v1/agents/{agent}/items', { params: agent, body });
  }
  await client.POST('/v1/agents/{agent}/checkpoints', {
    params: agent,
    body: { label: 'before the chores', sessionId: 'demo' },
  });
  await fillTalk(demo.client);
}

/** A session whose history was summed up. */
async function fillTalk(client: CtxClient): Promise<void> {
  const params = { path: { session: 'talk' } };
  const messages = Array.from({ length: 40 }, (_, number) => ({
    role: number % 2 === 0 ? 'user' : 'assistant',
    content: `Step ${String(number)} of the port. `.repeat(60),
  }));
  await client.POST('/v1/sessions/{session}/messages', { params, body: { messages } });
  const body = { ifDue: false, isDryRun: false, keepEntries: 4 };
  await client.POST('/v1/sessions/{session}/compactions', { params, body });
}
