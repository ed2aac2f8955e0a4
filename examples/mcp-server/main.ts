/**
 * What an agent stored, served to any client of the Model Context Protocol; and a client of a foreign server whose long results are
 * put away before a model sees them.
 */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createContextManager } from '@ctx/agent-adapter';
import { contextInstructions, registerContext, wrapClient } from '@ctx/agent-adapter/mcp';
import { openSqliteStore } from '@ctx/store-sqlite';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { McpServer, ResourceTemplate } from '@modelcontextprotocol/server';

const folder = mkdtempSync(join(tmpdir(), 'ctx-example-'));
const store = await openSqliteStore({ path: join(folder, 'ctx.db') });
const sessionId = 'session-1';

/** A client that is connected to a server, without a network between them. */
async function connect(server: McpServer): Promise<Client> {
  const client = new Client({ name: 'host', version: '1.0.0' });
  const [ours, theirs] = InMemoryTransport.createLinkedPair();
  await Promise.all([server.connect(ours), client.connect(theirs)]);
  return client;
}

/** A server as somebody else wrote it: its tool returns far too much. */
function foreignServer(): McpServer {
  const server = new McpServer({ name: 'logs', version: '1.0.0' });
  const text = Array.from({ length: 20_000 }, (_, line) => `line ${String(line)}`).join('\n');
  server.registerTool('read_log', { description: 'Reads the log.' }, async () => ({
    content: [{ type: 'text', text }],
  }));
  return server;
}

try {
  // 1. A foreign server behind `wrapClient`: the model gets a preview and a pointer.
  const manager = createContextManager({ store, sessionId });
  const logs = wrapClient(manager, await connect(foreignServer()));
  const answer = JSON.stringify(await logs.callTool({ name: 'read_log', arguments: {} }));
  assert.ok(answer.length < 5000);
  const pointer = /ctx:\/\/outputs\/[\w-]+/.exec(answer)?.[0] ?? '';

  // 2. The store as a server: any host can read what left, by pattern, by lines, or whole.
  const server = new McpServer(
    { name: 'ctx', version: '1.0.0' },
    { instructions: contextInstructions },
  );
  registerContext(server, { store, sessionId, ResourceTemplate });
  const host = await connect(server);
  const args = { pointer, pattern: 'line 12345' };
  const found = await host.callTool({ name: 'ctx_read_output', arguments: args });
  assert.match(JSON.stringify(found), /12346: line 12345/);
  const { contents } = await host.readResource({ uri: `${pointer}?from=1&to=2` });
  assert.match(JSON.stringify(contents), /line 0\\nline 1/);
  const { resources } = await host.listResources();
  assert.equal(resources.length, 1);
  await Promise.all([logs.close(), host.close(), manager.end()]);
  console.log(
    `a result of ${String(resources[0]?.size)} bytes left ${String(answer.length)} characters`,
  );
} finally {
  await store.close();
  rmSync(folder, { recursive: true, force: true });
}
