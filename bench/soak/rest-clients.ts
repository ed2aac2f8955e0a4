import { setTimeout as sleep } from 'node:timers/promises';
import type { Listening } from '../server/child-server.ts';

/** What the clients of a run saw. */
export interface Answers {
  requests: number;
  /** By status, where it is none that was expected. */
  readonly unexpected: Map<string, number>;
}

/** How the clients work. */
export interface RestLoad {
  readonly server: Listening;
  readonly clients: number;
  /** Between an answer and the next request, ms. */
  readonly pauseMs: number;
  readonly signal: AbortSignal;
}

interface Call {
  readonly path: string;
  readonly method?: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** Statuses that are fine. */
  readonly expected: readonly number[];
}

const words = 'the parser reads a line and gives a tree of nodes with their places '.repeat(4);

function messagesOf(turn: number): readonly unknown[] {
  const name = `c${String(turn)}`;
  return [
    { role: 'user', content: `Read file ${String(turn)}` },
    {
      role: 'assistant',
      content: null,
      tool_calls: [{ id: name, type: 'function', function: { name: 'read', arguments: '{}' } }],
    },
    { role: 'tool', tool_call_id: name, content: `${name} ${words}` },
  ];
}

/** The calls of a client, one after the other; each client has an agent and a few sessions of its own. */
function callOf(client: number, turn: number): Call {
  const agent = `agent-${String(client)}`;
  const session = `s-${String(client)}-${String(turn % 3)}`;
  const context = `/api/agents/${agent}/context`;
  const calls: readonly Call[] = [
    {
      path: `${context}/save`,
      body: { item_type: 'TASK', content: `${words} ${String(turn)}` },
      expected: [200],
    },
    { path: `${context}?limit=20`, expected: [200] },
    { path: `${context}/stats`, expected: [200] },
    {
      path: '/v1/outputs',
      body: { sessionId: session, toolName: 'read', args: { turn }, result: words.repeat(8) },
      headers: { 'idempotency-key': `${session}-${String(turn)}` },
      expected: [201],
    },
    { path: `/v1/outputs/search?q=parser&session=${session}&limit=5`, expected: [200] },
    {
      path: `/v1/sessions/w-${String(client)}-${String(Math.floor(turn / 120))}/prepare`,
      body: {
        windowTokens: 32_000,
        format: 'openai-chat',
        messages: messagesOf(turn),
        from: 3 * (Math.floor(turn / 12) % 10),
      },
      expected: [200],
    },
    {
      path: `/v1/sessions/${session}/facts`,
      body: { text: `client ${String(client)} knows ${String(turn % 50)}` },
      expected: [200, 201],
    },
    { path: `/v1/sessions/${session}`, expected: [200, 404] },
    { path: `/v1/agents/${agent}/items/search?q=places`, expected: [200] },
    { path: '/v1/sessions?limit=10', expected: [200] },
    { path: `${context}/unknown`, expected: [404] },
    turn % 240 === 11
      ? { path: `${context}/flash-save`, method: 'POST', expected: [200] }
      : { path: '/v1/stats', expected: [200] },
  ];
  return calls[turn % calls.length] ?? { path: '/healthz', expected: [200] };
}

async function send({ url, key }: Listening, call: Call): Promise<number> {
  const { path, body, headers = {}, method = body === undefined ? 'GET' : 'POST' } = call;
  const response = await fetch(url + path, {
    method,
    headers: {
      authorization: `Bearer ${key}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  await response.arrayBuffer();
  return response.status;
}

async function work(load: RestLoad, client: number, answers: Answers): Promise<void> {
  for (let turn = 0; !load.signal.aborted; turn += 1) {
    const call = callOf(client, turn);
    const status = await send(load.server, call).catch(() => 0);
    answers.requests += 1;
    if (!call.expected.includes(status)) {
      const name = `${String(status)} ${call.method ?? ''} ${call.path.replaceAll(/\d+/g, 'n')}`;
      answers.unexpected.set(name, (answers.unexpected.get(name) ?? 0) + 1);
    }
    await sleep(load.pauseMs, undefined, { signal: load.signal }).catch(() => undefined);
  }
}

/** Lets clients work until the signal is aborted. */
export async function workAll(load: RestLoad, answers: Answers): Promise<void> {
  await Promise.all(
    Array.from({ length: load.clients }, (_, client) => work(load, client, answers)),
  );
}
