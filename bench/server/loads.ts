/** A kind of request that is measured. */
export interface Load {
  readonly name: string;
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly body?: string;
  /** Path at the bare server, where another one answers there. */
  readonly barePath?: string;
  /** Least share of bare fastify's requests a second. */
  readonly goal: number;
}

const save = JSON.stringify({ item_type: 'TASK', content: 'Port the parser to the new form' });
const savePath = '/api/agents/new/context/save';

/** What a bare server does that writes a row for each POST. */
export const writingPath = '/written/new/context/save';

/** All of them, in the order in which they are measured. */
export const loads: readonly Load[] = [
  { name: 'GET session document', method: 'GET', path: '/v1/sessions/one', goal: 0.5 },
  { name: 'GET stats of items', method: 'GET', path: '/api/agents/ada/context/stats', goal: 0.5 },
  { name: 'GET 20 hot items', method: 'GET', path: '/api/agents/ada/context?limit=20', goal: 0.5 },
  { name: 'POST save, bare keeps nothing', method: 'POST', path: savePath, body: save, goal: 0.25 },
  {
    name: 'POST save, bare inserts a row',
    method: 'POST',
    path: savePath,
    body: save,
    barePath: writingPath,
    goal: 0.25,
  },
];
