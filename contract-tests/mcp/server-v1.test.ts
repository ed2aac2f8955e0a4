import { createContextManager } from '@ctx/agent-adapter';
import { contextInstructions, registerContext } from '@ctx/agent-adapter/mcp';
import { openStore } from '@ctx/store';
import { memoryBackend } from '@ctx/store/backend';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { McpServer, ResourceTemplate } from '@modelcontextprotocol/sdk/server/mcp.js';
import { describe, expect, it } from 'vitest';
import { connect, linksOf, newClient, resourceText, textOf } from './connect.ts';

const log = Array.from({ length: 4000 }, (_, line) => `test ${String(line)} passed`).join('\n');

async function setUp() {
  const store = await openStore(memoryBackend());
  const manager = createContextManager({ store, sessionId: 's' });
  const call = { id: 'c1', name: 'Bash', input: { command: 'npm test' } };
  const { pointer = '' } = await manager.recordToolOutput(call, log);
  const told = { instructions: contextInstructions };
  const server = new McpServer({ name: 'ctx', version: '1.0.0' }, told);
  registerContext(server, { store, sessionId: 's', ResourceTemplate });
  const client = newClient();
  const [ours, theirs] = InMemoryTransport.createLinkedPair();
  await Promise.all([server.connect(ours), client.connect(theirs)]);
  return { store, pointer, client };
}

describe('a server of @modelcontextprotocol/sdk 1', () => {
  it('offers the tools that one of version 2 offers, with the same arguments', async () => {
    const { client, store } = await setUp();
    const { tools } = await client.listTools();
    const newer = await (await connect({ store, sessionId: 's' })).listTools();
    expect(tools.map(({ name }) => name)).toEqual(newer.tools.map(({ name }) => name));
    for (const [at, { inputSchema, description }] of tools.entries()) {
      const other = newer.tools[at];
      expect(description).toBe(other?.description);
      expect(inputSchema.properties).toEqual(other?.inputSchema.properties);
      expect(inputSchema.required).toEqual(other?.inputSchema.required);
    }
  });

  it('reads, searches, and says what is wrong with arguments', async () => {
    const { client, pointer } = await setUp();
    const read = (args: Record<string, unknown>) =>
      client.callTool({ name: 'ctx_read_output', arguments: args });
    expect(textOf(await read({ pointer, pattern: 'test 2718' }))).toContain('test 2718 passed');
    const wrong = await read({ pointer, lines: 3 });
    expect(wrong.isError).toBe(true);
    expect(textOf(wrong)).toContain('lines');
    const found = await client.callTool({
      name: 'ctx_search_outputs',
      arguments: { query: 'test' },
    });
    const [uri = ''] = linksOf(found);
    expect(resourceText(await client.readResource({ uri }))).toBe(log);
    const status = await client.callTool({ name: 'ctx_status', arguments: {} });
    expect(status.isError).not.toBe(true);
  });

  it('answers with data that the client holds against the schema of the tool, as one of version 2 does', async () => {
    const { client, store, pointer } = await setUp();
    for (const each of [client, await connect({ store, sessionId: 's' })]) {
      // What was listed is what a client checks answers against: it throws for one that does not fit.
      const { tools } = await each.listTools();
      expect(each.getInstructions()).toContain('ctx_read_output');
      expect(tools.every(({ outputSchema }) => outputSchema?.type === 'object')).toBe(true);
      const call = async (name: string, args: Record<string, unknown>) =>
        (await each.callTool({ name, arguments: args })).structuredContent;
      const read = await call('ctx_read_output', { pointer, from: 3, to: 3 });
      expect(read).toMatchObject({ files: [] });
      expect(JSON.stringify(read)).toContain('test 2 passed');
      const found = await call('ctx_search_outputs', { query: 'test 2718' });
      expect(found).toMatchObject({ hits: [{ pointer, lines: 4000 }] });
      expect(await call('ctx_remember', { fact: 'The owner prefers tabs' })).toBeDefined();
      const facts = [{ fact: 'The owner prefers tabs', source: 'assistant' }];
      // It also says since when the fact holds.
      expect(await call('ctx_recall', { query: 'tabs' })).toMatchObject({ facts });
      expect(await call('ctx_status', {})).toMatchObject({ outputs: 1 });
      const wrong = await each.callTool({ name: 'ctx_read_output', arguments: { pointer: 'x y' } });
      expect(wrong).toMatchObject({ isError: true });
      expect(wrong.structuredContent).toBeUndefined();
    }
    const saved = await client.callTool({
      name: 'ctx_save_output',
      arguments: { name: 'notes', text: 'striped' },
    });
    expect(JSON.stringify(saved.structuredContent)).toContain('{"pointer":"ctx://outputs/');
  });
});
