import type { CtxUp } from './ctx-up.ts';

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
