import { expect, it } from 'vitest';
import { at, membersOf, startServer } from './test-support/start-server.ts';

it('the document names the headers that each operation takes, and the ETag of its answers', async () => {
  const server = await startServer();
  const { json } = await server.call('/openapi.json', { key: await server.key('read') });
  const told: Record<string, string[]> = {};
  for (const [path, operations] of Object.entries(membersOf(at(json, 'paths')))) {
    for (const [method, operation] of Object.entries(membersOf(operations))) {
      const taken = Object.values(membersOf(at(operation, 'parameters')))
        .filter((one) => at(one, 'in') === 'header')
        .map((one) => String(at(one, 'name')));
      const answers = Object.values(membersOf(at(operation, 'responses')));
      const isTagged = answers.some((one) => at(one, 'headers.ETag') !== undefined);
      for (const name of [...taken, ...(isTagged ? ['ETag'] : [])]) {
        (told[name] ??= []).push(`${method.toUpperCase()} ${path}`);
      }
      if (method === 'post') expect([path, taken]).toEqual([path, ['Idempotency-Key']]);
    }
  }
  expect(told['Last-Event-ID']).toEqual(['GET /v1/live']);
  expect(told['If-Match']?.toSorted()).toEqual([
    'DELETE /v1/agents/{agent}/items/{item}',
    'PATCH /v1/agents/{agent}/items/{item}',
    'PATCH /v1/sessions/{session}',
    'PUT /v1/sessions/{session}',
  ]);
  expect(told['If-None-Match']).toHaveLength(7);
  expect(told['ETag']).toHaveLength(15);
  await server.stop();
});
