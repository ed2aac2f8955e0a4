import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createContextManager } from '@ctx/agent-adapter';
import { contextInstructions, registerContext } from '@ctx/agent-adapter/mcp';
import { serve } from '@ctx/server';
import { type ContextStore, openStore } from '@ctx/store';
import { memoryBackend } from '@ctx/store/backend';
import { openSqliteStore } from '@ctx/store-sqlite';
import {
  Client,
  InMemoryTransport,
  StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import {
  McpServer as OldServer,
  ResourceTemplate as OldTemplate,
} from '@modelcontextprotocol/sdk/server/mcp.js';
import { McpServer, ResourceTemplate } from '@modelcontextprotocol/server';
import { describe, expect, it } from 'vitest';
import { waysToTry } from '../ways-to-try.ts';
import { linksOf, resourceText, textOf } from './connect.ts';

const log = Array.from({ length: 4000 }, (_, line) => `test ${String(line)} passed`).join('\n');
const about = { name: 'ctx', version: '1.0.0' };
const told = { instructions: contextInstructions };
const bin = join(
  dirname(fileURLToPath(import.meta.resolve('@ctx/cli/package.json'))),
  'dist/bin.js',
);

const newClient = (): Client => new Client({ name: 'host', version: '2.0.0' });

/** Stores the log, and returns the pointer that stands in the conversation. */
async function record(store: ContextStore): Promise<string> {
  const manager = createContextManager({ store, sessionId: 's' });
  const call = { id: 'c1', name: 'Bash', input: { command: 'npm test' } };
  const { pointer = '' } = await manager.recordToolOutput(call, log);
  await manager.end();
  return pointer;
}

/** A client that is connected, the pointer, and what ends both sides. */
interface Connected {
  readonly client: Client;
  readonly pointer: string;
  readonly end: () => Promise<void>;
}

async function inMemory(major: 1 | 2): Promise<Connected> {
  const store = await openStore(memoryBackend());
  const pointer = await record(store);
  const scope = { store, sessionId: 's' };
  const client = newClient();
  const [ours, theirs] = InMemoryTransport.createLinkedPair();
  if (major === 1) {
    const server = new OldServer(about, told);
    registerContext(server, { ...scope, ResourceTemplate: OldTemplate });
    await Promise.all([server.connect(ours), client.connect(theirs)]);
  } else {
    const server = new McpServer(about, told);
    registerContext(server, { ...scope, ResourceTemplate });
    await Promise.all([server.connect(ours), client.connect(theirs)]);
  }
  return { client, pointer, end: () => client.close() };
}

async function overHttp(): Promise<Connected> {
  const server = await serve({ backend: memoryBackend(), port: 0 });
  const { text: key } = await server.stores.keys.create({ tenant: 'a', scope: 'write' });
  const pointer = await record(await server.stores.store('a'));
  const client = newClient();
  const requestInit = { headers: { authorization: `Bearer ${key}` } };
  const url = new URL(`${server.url}/mcp/s`);
  await client.connect(new StreamableHTTPClientTransport(url, { requestInit }));
  const end = async () => {
    await client.close();
    await server.stop();
  };
  return { client, pointer, end };
}

async function overStdio(): Promise<Connected> {
  const folder = mkdtempSync(join(tmpdir(), 'ctx-mcp-'));
  const path = join(folder, 'ctx.db');
  const store = await openSqliteStore({ path });
  const pointer = await record(store);
  await store.close();
  const client = newClient();
  const args = [bin, 'mcp', '--store', `sqlite:${path}`, '--session', 's'];
  const started = { command: process.execPath, args, stderr: 'ignore' } as const;
  await client.connect(new StdioClientTransport(started));
  const end = async () => {
    await client.close();
    rmSync(folder, { recursive: true, force: true });
  };
  return { client, pointer, end };
}

interface Server {
  readonly name: string;
  readonly connect: () => Promise<Connected>;
  readonly isThere: boolean;
}

const servers: readonly Server[] = [
  { name: 'of @modelcontextprotocol/server 2', connect: () => inMemory(2), isThere: true },
  { name: 'of @modelcontextprotocol/sdk 1', connect: () => inMemory(1), isThere: true },
  { name: 'of ctx over HTTP', connect: overHttp, isThere: true },
  { name: 'of ctx mcp over stdio, as it is built', connect: overStdio, isThere: existsSync(bin) },
];

for (const { name, connect, isThere } of waysToTry(servers)) {
  describe.skipIf(!isThere)(`a client of version 2 with the server ${name}`, () => {
    it('is told how to use the tools, and what their answers hold', async () => {
      const { client, end } = await connect();
      const { tools } = await client.listTools();
      expect(client.getInstructions()).toContain('ctx_read_output');
      expect(tools.map((tool) => tool.name)).toEqual([
        'ctx_read_output',
        'ctx_search_outputs',
        'ctx_status',
        'ctx_recall',
        'ctx_remember',
        'ctx_save_output',
      ]);
      for (const { inputSchema, outputSchema } of tools) {
        expect([inputSchema['type'], outputSchema?.['type']]).toEqual(['object', 'object']);
      }
      await end();
    });

    it('reads, searches, saves and remembers, with answers that fit their schemas', async () => {
      const { client, pointer, end } = await connect();
      // The client checks answers against what was listed, and throws for one that does not fit.
      await client.listTools();
      const call = (tool: string, args: Record<string, unknown>) =>
        client.callTool({ name: tool, arguments: args });
      const read = await call('ctx_read_output', { pointer, pattern: 'test 2718' });
      expect(textOf(read)).toContain('test 2718 passed');
      expect(JSON.stringify(read.structuredContent)).toContain('test 2718 passed');
      const found = await call('ctx_search_outputs', { query: 'test 2718' });
      expect(found.structuredContent).toMatchObject({ hits: [{ pointer, lines: 4000 }] });
      const [uri = ''] = linksOf(found);
      expect(resourceText(await client.readResource({ uri }))).toBe(log);
      const part = await client.readResource({ uri: `${uri}?from=2&to=3` });
      expect(resourceText(part)).toBe('test 1 passed\ntest 2 passed');
      const saved = await call('ctx_save_output', { name: 'notes', text: 'striped' });
      const [kept = ''] = linksOf(saved);
      expect(resourceText(await client.readResource({ uri: kept }))).toBe('striped');
      await call('ctx_remember', { fact: 'The owner prefers tabs' });
      const recalled = await call('ctx_recall', { query: 'tabs' });
      const since: unknown = expect.stringMatching(/^\d{4}-\d\d-\d\d$/);
      const facts = [{ fact: 'The owner prefers tabs', source: 'assistant', since }];
      expect(recalled.structuredContent).toEqual({ facts });
      await end();
    });

    it('hears what is wrong with arguments and addresses', async () => {
      const { client, pointer, end } = await connect();
      const wrong = await client.callTool({
        name: 'ctx_read_output',
        arguments: { pointer, lines: 3 },
      });
      expect(wrong.isError).toBe(true);
      expect(textOf(wrong)).toContain('lines');
      await expect(client.readResource({ uri: 'ctx://theirs/nothing' })).rejects.toThrow();
      await end();
    });
  });
}
