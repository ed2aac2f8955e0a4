import { expect } from 'vitest';
import { addressOf, type DocumentedRoute } from './routes-of.ts';
import {
  type Answer,
  at,
  type CallOptions,
  membersOf,
  type RunningServer,
} from './start-server.ts';

/** Calls a server, or one of several over the same store. */
export type Call = RunningServer['call'];

/** Sends a good request to a route. */
export type SendToRoute = (
  route: DocumentedRoute,
  values: Readonly<Record<string, string>>,
  options?: CallOptions,
) => Promise<Answer>;

const message = { role: 'user', content: 'hello' };
const document = {
  session_id: 's',
  system_state: {},
  facts: [],
  recent_history: [],
  long_term_summary: '',
  active_tasks: [],
  tool_stats: { total_calls: 0, by_tool: {}, failures: 0 },
  last_known_environment: {},
  token_usage: { total_input: 0, total_output: 0, by_session: 0 },
};

/** A good body for every route that takes one: a new route needs its line here. */
export const bodies: Readonly<Record<string, unknown>> = {
  'POST /api/agents/{agent_id}/context/save': { item_type: 'TASK', content: 'x' },
  'POST /api/agents/{agent_id}/context/flash-save': {},
  'PUT /v1/sessions/{session}': { document },
  'PATCH /v1/sessions/{session}': { title: 'x' },
  'POST /v1/sessions/{session}/messages': { messages: [message] },
  'POST /v1/sessions/{session}/prepare': { messages: [message], format: 'openai-chat' },
  'POST /v1/sessions/{session}/compactions': {},
  'POST /v1/sessions/{session}/rewind': { to: 0 },
  'POST /v1/sessions/{session}/facts': { text: 'a fact' },
  'POST /v1/agents/{agent}/facts': { text: 'a fact' },
  'PUT /v1/agents/{agent}/facts/{fact}': { text: 'another fact' },
  'PUT /v1/sessions/{session}/tasks/{task}': { status: 'Running' },
  'POST /v1/sessions/{session}/replays': { mode: 'default' },
  'POST /v1/sessions/{session}/what-if': { policies: ['none'] },
  'POST /v1/import': { name: 'a.json', content: '[{"role":"user","content":"hello"}]' },
  'POST /v1/outputs': { sessionId: 's', toolName: 't', result: 'r' },
  'POST /v1/agents/{agent}/items': { kind: 'TASK', content: 'x' },
  'PATCH /v1/agents/{agent}/items/{item}': { pinned: true },
  'POST /v1/agents/{agent}/checkpoints': {},
  'POST /v1/checkpoints/{checkpoint}/fork': { sessionId: 'forked' },
  'POST /v1/keys': { scope: 'read' },
};

/** Routes whose ids make what they name, in the caller's own tenant: nobody else's is reached. */
const makers = new Set([
  'POST /api/agents/{agent_id}/context/save',
  'POST /v1/sessions/{session}/messages',
  'POST /v1/sessions/{session}/prepare',
  'POST /v1/sessions/{session}/facts',
  'POST /v1/agents/{agent}/facts',
  'PUT /v1/sessions/{session}/tasks/{task}',
  'POST /v1/agents/{agent}/items',
  'POST /api/agents/{agent_id}/context/flash-save',
  'POST /v1/agents/{agent}/checkpoints',
]);

/** Routes that answer with an empty list for whatever agent or session nobody knows. */
const lists = new Set([
  'GET /api/agents/{agent_id}/context',
  'GET /api/agents/{agent_id}/context/stats',
  'GET /v1/agents/{agent}/facts',
  'GET /v1/agents/{agent}/items',
  'GET /v1/agents/{agent}/items/search',
  'GET /v1/agents/{agent}/items/stats',
  'GET /v1/agents/{agent}/items/changes',
  'GET /v1/agents/{agent}/checkpoints',
  'GET /v1/outputs',
]);

/** Such as `GET /healthz`. */
export const nameOf: (route: DocumentedRoute) => string = ({ method, path }) => `${method} ${path}`;
/** Ids that nobody knows. */
export const values: Readonly<
  Record<'key' | 'compaction' | 'segment' | 'number' | 'since' | 'run', string>
> = {
  key: '0'.repeat(16),
  compaction: '0',
  segment: '0',
  number: '2',
  since: '0',
  run: 'none',
};

/** Sends a good request to a route, with its body where it takes one. */
export function sendToRoute(
  call: Call,
  route: DocumentedRoute,
  values: Readonly<Record<string, string>>,
  options: CallOptions = {},
): Promise<Answer> {
  const body = options.body ?? (route.hasBody ? bodies[nameOf(route)] : undefined);
  const { method } = route;
  const sent = { method, ...options, ...(body === undefined ? {} : { body }) };
  return call(addressOf(route, values), sent);
}

/** Expects an answer that says what is wrong, in the one form for that. */
export function expectProblem(answer: Answer, status: number, of: string): void {
  expect([of, answer.status]).toEqual([of, status]);
  expect(answer.headers.get('content-type')).toMatch(/^application\/problem\+json/);
  expect(at(answer.json, 'status')).toBe(status);
  expect(at(answer.json, 'title')).toEqual(expect.any(String));
}

async function plant(call: Call, key: string): Promise<Record<string, string>> {
  const put = { method: 'PUT', body: { document }, headers: { 'if-none-match': '*' } };
  await call('/v1/sessions/theirs', { key, ...put });
  const messages = Array.from({ length: 60 }, () => message);
  await call('/v1/sessions/theirs/messages', { key, body: { messages } });
  await call('/v1/sessions/theirs/compactions', { key, body: {} });
  const output = { sessionId: 'theirs', toolName: 't', result: 'their result' };
  const saved = await call('/v1/outputs', { key, body: output });
  const item = { kind: 'TASK', content: 'their content' };
  const kept = await call('/v1/agents/their-agent/items', { key, body: item });
  const saving = { sessionId: 'theirs' };
  const flash = await call('/v1/agents/their-agent/checkpoints', { key, body: saving });
  const facts = '/v1/agents/their-agent/facts';
  const fact = await call(facts, { key, body: { text: 'their content is a fact' } });
  const made = await call('/v1/keys', { key, body: { scope: 'read' } });
  return {
    session: 'theirs',
    agent: 'their-agent',
    agent_id: 'their-agent',
    fact: String(at(fact.json, 'fact.id')),
    item: String(at(kept.json, 'item.id')),
    output: String(at(saved.json, 'output.id')),
    task: 'their-task',
    compaction: '0',
    segment: '0',
    number: '2',
    run: 'none',
    checkpoint: String(at(flash.json, 'checkpointId')),
    key: String(at(made.json, 'key.id')),
  };
}

/** All that the other tenant can see of its own. */

async function snapshot(
  call: Call,
  key: string,
  ids: Record<string, string>,
): Promise<readonly string[]> {
  const { item = '', output = '' } = ids;
  const paths = [
    '/v1/sessions/theirs',
    '/v1/sessions/theirs/compactions',
    '/v1/sessions/theirs/facts',
    '/v1/sessions/theirs/tasks',
    `/v1/outputs/${output}`,
    `/v1/agents/their-agent/items/${item}`,
    '/v1/agents/their-agent/facts',
    '/v1/keys',
  ];
  const texts: string[] = [];
  for (const path of paths) {
    const { json } = await call(path, { key });
    // How an item fades is not what anybody did to it.
    const { why: _why, ...rest } = membersOf(json);
    texts.push(JSON.stringify({ ...rest, item: at(rest, 'item.pinned') }));
  }
  expect(texts.length).toBe(paths.length);
  return texts;
}

/** What is tried. */
export interface TenantMatrix {
  readonly call: Call;
  readonly routes: readonly DocumentedRoute[];
  /** Key of the tenant that tries. */
  readonly ours: string;
  /** Key of the tenant whose ids are used. It has nothing yet. */
  readonly theirs: string;
}

/** Uses ids of one tenant with the key of another, on every route: each answers as if nobody knew them, and changes nothing (S8). */
export async function expectTenantsApart({
  call,
  routes,
  ours,
  theirs,
}: TenantMatrix): Promise<void> {
  const ids = { since: values.since, ...(await plant(call, theirs)) };
  const before = await snapshot(call, theirs, ids);
  const named = routes.filter(({ path }) => path.includes('{'));
  const isMaker = (route: DocumentedRoute): boolean => makers.has(nameOf(route));
  // What makes something of its own comes last.
  const ordered = [...named.filter((route) => !isMaker(route)), ...named.filter(isMaker)];
  for (const route of ordered) {
    const headers = { 'if-match': '*' };
    const foreign = await sendToRoute(call, route, ids, { key: ours, headers });
    const unknown = await sendToRoute(call, route, values, { key: ours, headers });
    const name = nameOf(route);
    expect(foreign.text).not.toMatch(/their (content|result)/);
    if (makers.has(name)) expect([name, foreign.status]).toEqual([name, unknown.status]);
    else if (lists.has(name)) expect([name, foreign.text]).toEqual([name, unknown.text]);
    else {
      expectProblem(foreign, 404, name);
      expect(foreign.text).toBe(unknown.text);
      expect(foreign.headers.get('etag')).toBe(unknown.headers.get('etag'));
    }
  }
  expect(await snapshot(call, theirs, ids)).toEqual(before);
}
