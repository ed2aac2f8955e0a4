import { setTimeout } from 'node:timers/promises';
import type { CtxUp } from './ctx-up.ts';

/** One replay a server: it takes longer than all other views together. */
const runs = new WeakMap<CtxUp['client'], Promise<string>>();

/** Replays the demo, and waits until that is done. */
async function replayDemo(client: CtxUp['client']): Promise<string> {
  const path = { session: 'demo' };
  const policies: ['none', 'ctx'] = ['none', 'ctx'];
  const { data } = await client.POST('/v1/sessions/{session}/what-if', {
    params: { path },
    body: { policies },
  });
  const run = data?.id ?? '';
  for (let state: string | undefined = 'running'; state === 'running'; ) {
    await setTimeout(200);
    const params = { path: { ...path, run } };
    state = (await client.GET('/v1/sessions/{session}/what-if/{run}', { params })).data?.state;
  }
  return run;
}

function replayed(client: CtxUp['client']): Promise<string> {
  const run = runs.get(client) ?? replayDemo(client);
  runs.set(client, run);
  return run;
}

/** The address of each view, with something to show. */
export async function viewsOf({ client }: CtxUp): Promise<Readonly<Record<string, string>>> {
  const path = { session: 'demo' };
  const { data } = await client.GET('/v1/sessions/{session}/requests', { params: { path } });
  const flush = data?.requests.find((request) => request.flush !== undefined)?.number ?? 0;
  const query = { session: 'demo', limit: 3 };
  const outputs = await client.GET('/v1/outputs', { params: { query } });
  const output = outputs.data?.outputs[1]?.id ?? '';
  const agent = { agent: 'demo-agent' };
  const items = await client.GET('/v1/agents/{agent}/items', { params: { path: agent } });
  const item = items.data?.items[0]?.id ?? '';
  return {
    sessions: '/sessions',
    now: '/sessions/demo',
    conversation: '/sessions/demo/conversation',
    timeline: '/sessions/demo/timeline',
    left: '/sessions/demo/left',
    flush: `/sessions/demo/flush/${flush}`,
    compaction: '/sessions/demo/compaction/0',
    request: '/sessions/demo/request/40',
    changes: `/sessions/demo/changes/${flush}`,
    heat: '/sessions/demo/heat',
    'what-if': `/sessions/demo/what-if?run=${await replayed(client)}`,
    outputs: '/sessions/demo/outputs',
    output: `/outputs/${output}`,
    search: '/outputs?q=error',
    agents: '/agents',
    items: '/agents/demo-agent',
    item: `/agents/demo-agent?item=${item}`,
    checkpoints: '/agents/demo-agent/checkpoints',
    statistics: '/statistics',
  };
}
