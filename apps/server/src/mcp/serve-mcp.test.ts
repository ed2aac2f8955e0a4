import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { at, startServer } from '../test-support/start-server.ts';

const manifest: unknown = JSON.parse(
  readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
);

it('a client is told the version of the package', async () => {
  const server = await startServer();
  const clientInfo = { name: 'test', version: '1' };
  const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo };
  const { text } = await server.call('/mcp', {
    key: await server.key('read'),
    body: { jsonrpc: '2.0', id: 1, method: 'initialize', params },
    headers: { accept: 'application/json, text/event-stream' },
  });
  const told: unknown = JSON.parse(text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1));
  expect(at(told, 'result.serverInfo')).toMatchObject({
    name: 'ctx',
    version: at(manifest, 'version'),
  });
  await server.stop();
});
