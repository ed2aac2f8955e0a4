import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { z } from 'zod';
import { logOfStep } from '../agent-scenario.ts';

/** One pixel. */
export const pixel =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNk+A8AAQUBAScY42YAAAAASUVORK5CYII=';

/** What the tool `page` returns beside its image. */
export const pageText: string = 'a long page of words\n'.repeat(2000);

/** What the tool `table` returns. */
export const rows: readonly { readonly row: number }[] = Array.from({ length: 3000 }, (_, row) => ({
  row,
}));

function addScenario(server: McpServer): void {
  const step = { step: z.number() };
  server.registerTool('read_log', { inputSchema: step }, async (args) => ({
    content: [{ type: 'text', text: logOfStep(args.step) }],
  }));
  server.registerTool('add', { inputSchema: step }, async (args) => ({
    content: [{ type: 'text', text: JSON.stringify({ sum: args.step + 1 }) }],
  }));
  server.registerTool('fail', { inputSchema: step }, async () => {
    throw new Error('this tool fails');
  });
}

function addOthers(server: McpServer): void {
  server.registerTool('page', {}, async () => ({
    content: [
      { type: 'image', data: pixel, mimeType: 'image/png' },
      { type: 'resource', resource: { uri: 'file:///page', text: pageText } },
    ],
  }));
  const outputSchema = { rows: z.array(z.object({ row: z.number() })) };
  server.registerTool('table', { outputSchema }, async () => ({
    content: [{ type: 'text', text: JSON.stringify({ rows }) }],
    structuredContent: { rows: [...rows] },
  }));
}

/** A client of version 1 that is connected to a server of version 1 with the tools of the script. */
export async function scriptedTools(): Promise<Client> {
  const server = new McpServer({ name: 'tools', version: '1.0.0' });
  addScenario(server);
  addOthers(server);
  const client = new Client({ name: 'host', version: '1.0.0' });
  const [ours, theirs] = InMemoryTransport.createLinkedPair();
  await Promise.all([server.connect(ours), client.connect(theirs)]);
  return client;
}
