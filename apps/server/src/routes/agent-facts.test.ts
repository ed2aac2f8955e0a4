import { afterAll, beforeAll, expect, test } from 'vitest';
import { idInUrl } from '../client/id-in-url.ts';
import { at, type RunningServer, startServer } from '../test-support/start-server.ts';

let server: RunningServer;
let key: string;

beforeAll(async () => {
  server = await startServer();
  key = await server.key('write');
});
afterAll(() => server.stop());

const call = (path: string, options: Parameters<RunningServer['call']>[1] = {}) =>
  server.call(path, { key, ...options });
const ofAda = `/v1/agents/${idInUrl('@user/ada')}/facts`;
const search = (path: string, query: Record<string, string>) =>
  call(`${path}?${new URLSearchParams(query).toString()}`);

test('a fact of a user is corrected, recalled as of then, told with its history, and destroyed', async () => {
  const text = 'I live in Bern';
  const body = { text, source: 'user', validFrom: '2026-01-01T00:00:00Z', sessionId: 's' };
  const added = await call(ofAda, { body });
  expect(added.json).toMatchObject({ isNew: true, fact: { text, scope: 'user' }, ended: [] });
  const id = String(at(added.json, 'fact.id'));
  const put = { method: 'PUT', body: { text: 'I live in Berlin', source: 'user' } };
  const corrected = await call(`${ofAda}/${id}`, put);
  expect(corrected.json).toMatchObject({ fact: { attribute: 'location' }, ended: [{ id }] });
  const now = await search(ofAda, { q: 'where do I live' });
  expect(now.json).toMatchObject({ facts: [{ text: 'I live in Berlin' }], abstained: false });
  const then = await search(ofAda, { q: 'where do I live', asOf: '2026-02-01T00:00:00Z' });
  expect(then.json).toMatchObject({ facts: [{ text, sessions: ['s'] }] });
  expect((await search(ofAda, { q: 'x', asOf: 'yesterday' })).status).toBe(422);
  // A list holds past facts, too: a moment for it would be ignored.
  expect((await search(ofAda, { asOf: '2026-02-01T00:00:00Z' })).status).toBe(422);
  const one = await call(`${ofAda}/${id}`);
  expect(one.json).toMatchObject({
    fact: { id },
    history: [{ text }, { text: 'I live in Berlin' }],
  });
  expect(at(one.json, 'fact.validTo')).toEqual(expect.any(String));
  const gone = await call(`${ofAda}/${id}`, { method: 'DELETE' });
  expect(gone.json).toMatchObject({ wasKnown: true, sessions: [], notSearched: [] });
  const missing = await call(`${ofAda}/${id}`);
  expect(missing.status).toBe(404);
  expect(at(missing.json, 'advice')).toContain('GET /v1/agents/{agent}/facts');
  expect((await call(`${ofAda}/${id}`, { method: 'DELETE' })).status).toBe(404);
  expect((await call(`${ofAda}/${id}`, put)).status).toBe(404);
  expect((await call(ofAda)).text).not.toContain('Bern"');
});

test('a recall reads the scopes that it names, the narrowest first', async () => {
  const matter = { subject: 'project', attribute: 'indentation' };
  const everybody = { ...matter, text: 'Indent with tabs' };
  await call(`/v1/agents/${idInUrl('@tenant')}/facts`, { body: everybody });
  await call('/v1/agents/coder/facts', { body: { ...matter, text: 'Indent with two spaces' } });
  const texts = async (query: Record<string, string>) => {
    const { json } = await search('/v1/agents/coder/facts', { q: 'indent', ...query });
    return [at(json, 'facts.0.text'), at(json, 'facts.0.scope'), at(json, 'facts.1')];
  };
  expect(await texts({ tenant: 'true' })).toEqual(['Indent with two spaces', 'agent', undefined]);
  const other = await search('/v1/agents/writer/facts', { q: 'indent', tenant: 'true' });
  expect(other.json).toMatchObject({ facts: [{ text: 'Indent with tabs', scope: 'tenant' }] });
  const alone = await search('/v1/agents/writer/facts', { q: 'indent' });
  expect(alone.json).toMatchObject({ facts: [] });
});

test('what others than the user state ends nothing, and a query that nothing answers is not answered', async () => {
  const path = '/v1/agents/teller/facts';
  await call(path, { body: { text: 'My name is Ada', source: 'user' } });
  const stated = await call(path, { body: { text: 'My name is Eve', source: 'browser' } });
  expect(stated.json).toMatchObject({ ended: [], fact: { trust: 'untrusted' } });
  const answer = await search(path, { q: 'name of the highest mountain beyond the southern sea' });
  expect(answer.json).toEqual({ facts: [], abstained: true });
});
