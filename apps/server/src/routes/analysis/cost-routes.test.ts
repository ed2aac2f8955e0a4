import { afterAll, beforeAll, expect, it } from 'vitest';
import { type CtxClient, createClient } from '../../client/create-client.ts';
import { type RunningServer, startServer } from '../../test-support/start-server.ts';

/** A recorded session of so many answers. */
function transcript(id: string, answers: number): string {
  const messages: unknown[] = [{ role: 'user', content: `task of ${id}` }];
  for (let answer = 0; answer < answers; answer += 1) {
    messages.push({ role: 'assistant', content: `answer ${String(answer)} `.repeat(50) });
    messages.push({ role: 'user', content: 'go on' });
  }
  return JSON.stringify({ id, messages });
}

let server: RunningServer;
let client: CtxClient;
const answers: Readonly<Record<string, number>> = { small: 1, large: 9, middle: 4, other: 2 };

beforeAll(async () => {
  server = await startServer();
  client = createClient({ url: server.url, key: await server.key('write') });
  for (const [id, count] of Object.entries(answers)) {
    const folder = id === 'other' ? 'two' : 'one';
    const body = { name: `/work/${folder}/${id}.json`, content: transcript(id, count) };
    expect((await client.POST('/v1/import', { body })).response.status).toBe(200);
  }
});
afterAll(() => server.stop());

/** What is answered once all sessions are read: a slow server takes more than one answer for them. */
async function costs(query: object) {
  const { data } = await client.GET('/v1/costs', { params: { query } });
  if ((data?.unread ?? 0) > 0) return costs(query);
  return data ?? expect.unreachable('there is no answer');
}

const idsOf = ({ costs: found }: Awaited<ReturnType<typeof costs>>): string[] =>
  found.map(({ session }) => session.id);

it('sessions come in the order of their cost, page by page, with the sum of all of them', async () => {
  const first = await costs({ sort: 'cost', limit: 3 });
  expect(idsOf(first)).toEqual(['large', 'middle', 'other']);
  expect(first).toMatchObject({ total: 4, unread: 0, sum: { sessions: 4 } });
  const { next = '' } = first;
  const last = await costs({ sort: 'cost', limit: 3, cursor: next });
  expect(idsOf(last)).toEqual(['small']);
  expect(last).not.toHaveProperty('next');
  const inputs = [...first.costs, ...last.costs]
    .flatMap(({ cost }) => cost?.models ?? [])
    .reduce((sum, { inputDollars }) => sum + inputDollars, 0);
  expect(first.sum?.models[0]?.inputDollars).toBeCloseTo(inputs, 10);
});

it('sessions of a project come together, and those that are searched for alone', async () => {
  const grouped = await costs({ sort: 'cost', group: 'project', limit: 2 });
  expect(idsOf(grouped)).toEqual(['large', 'middle']);
  expect(grouped.projects).toMatchObject([{ project: 'one', sessions: 3 }]);
  const fullest = await costs({ sort: 'fill', q: 'TASK OF' });
  expect(idsOf(fullest)).toEqual(['large', 'middle', 'other', 'small']);
  expect(idsOf(await costs({ sort: 'time', q: 'task of large' }))).toEqual(['large']);
});

it('a session that goes on is priced by the model of its requests and by what the provider reported, which may tell nothing of its cache', async () => {
  const params = { path: { session: 'live' } };
  const said = (content: string) => ({ role: 'user', content });
  const common = { format: 'openai-chat', model: 'gpt-5' } as const;
  const usage = { inputTokens: 40_000, outputTokens: 1000 };
  for (const more of [
    { messages: [said('begin')] },
    { messages: [said('begin'), { role: 'assistant', content: 'done' }, said('go on')], usage },
  ]) {
    const { error } = await client.POST('/v1/sessions/{session}/prepare', {
      ...{ params, body: { ...common, ...more } },
    });
    expect(error).toBeUndefined();
  }
  const { data } = await client.GET('/v1/sessions/{session}/cost', { params });
  expect(data?.models).toHaveLength(1);
  const [cost] = data?.models ?? [];
  const reported = { reportedInputs: 1, reportedCaches: 0, reportedOutputs: 1 };
  expect(cost).toMatchObject({ model: 'gpt-5', isOfModel: true, requests: 2, ...reported });
  expect(cost?.inputTokens).toBeGreaterThan(40_000);
  const all = await costs({ q: 'live', sort: 'time' });
  expect(all.sum?.models[0]).toMatchObject({ model: 'gpt-5', ...reported });
});

it('a cursor of another list is refused', async () => {
  const query = { sort: 'cost', cursor: 'bm9uZQ' } as const;
  const { response } = await client.GET('/v1/costs', { params: { query } });
  expect(response.status).toBe(422);
});
