import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openSqliteStore } from '@ctx/store-sqlite';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { afterEach, describe, expect, it } from 'vitest';
import { linksOf, newClient, resourceText, textOf } from './connect.ts';

const bin = join(
  dirname(fileURLToPath(import.meta.resolve('@ctx/cli/package.json'))),
  'dist/bin.js',
);
const folders: string[] = [];

afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'ctx-mcp-'));
  folders.push(folder);
  return folder;
}

async function start(path: string, ...flags: readonly string[]) {
  const client = newClient();
  const args = [bin, 'mcp', '--store', `sqlite:${path}`, ...flags];
  await client.connect(
    new StdioClientTransport({ command: process.execPath, args, stderr: 'ignore' }),
  );
  return client;
}

describe.skipIf(!existsSync(bin))('ctx mcp over stdio, as it is built', () => {
  it('serves what other processes stored, and what it saved itself after a restart', async () => {
    const path = join(newFolder(), 'ctx.db');
    const store = await openSqliteStore({ path });
    const log = 'line of a log\n'.repeat(20_000);
    await store.outputs.save({ sessionId: 's', toolName: 'Bash', args: {}, result: log });
    await store.close();
    const first = await start(path, '--session', 's');
    const [resource] = (await first.listResources()).resources;
    expect(resourceText(await first.readResource({ uri: resource?.uri ?? '' }))).toBe(log);
    const notes = { name: 'notes', text: 'zebra crossing' };
    const saved = await first.callTool({ name: 'ctx_save_output', arguments: notes });
    await first.close();
    const second = await start(path, '--session', 's');
    const [uri = ''] = linksOf(saved);
    expect(resourceText(await second.readResource({ uri }))).toBe('zebra crossing');
    await second.close();
    const all = await start(path, '--read-only');
    const found = await all.callTool({
      name: 'ctx_search_outputs',
      arguments: { query: 'zebra' },
    });
    expect(textOf(found)).toContain('zebra crossing');
    expect((await all.listTools()).tools.map(({ name }) => name)).not.toContain('ctx_remember');
    await all.close();
  });
});
