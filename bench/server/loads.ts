/** A kind of request that is measured. */
export interface Load {
  readonly name: string;
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly body?: string;
  /** Path at the bare server, where another one answers there. */
  readonly barePath?: string;
  /** Paths that are asked for by turns at ctx in place of `path`, so many that none is remembered when its turn comes. */
  readonly turns?: readonly string[];
  /** Least share of bare fastify's requests a second. */
  readonly goal: number;
}

const save = JSON.stringify({ item_type: 'TASK', content: 'Port the parser to the new form' });
const savePath = '/api/agents/new/context/save';

/** What a bare server does that writes a row for each POST. */
export const writingPath = '/written/new/context/save';

/** What a bare server does that writes the rows that ctx writes, and as many of them at once. */
export const rowsPath = '/rows/new/context/save';

/** What a bare server does that reads the rows of a GET. */
export const readingPath = '/read/ada/context?limit=20';

/** How many agents are asked for by turns: more than the server remembers. */
export const agentsByTurns = 200;

const hotPath = (agent: string): string => `/api/agents/${agent}/context?limit=20`;
const wholePath = '/v1/agents/ada/items?tier=hot&limit=20';
const turns = Array.from({ length: agentsByTurns }, (_, at) => hotPath(`turn${String(at)}`));
const byTurns = { method: 'GET', path: hotPath('ada'), turns, goal: 0.5 } as const;

/** All of them, in the order in which they are measured. */
export const loads: readonly Load[] = [
  { name: 'GET session document', method: 'GET', path: '/v1/sessions/one', goal: 0.5 },
  { name: 'GET stats of items', method: 'GET', path: '/api/agents/ada/context/stats', goal: 0.5 },
  { name: 'GET 20 hot items', method: 'GET', path: hotPath('ada'), goal: 0.5 },
  { name: 'GET the same, all that is known', method: 'GET', path: wholePath, goal: 0.5 },
  { name: 'GET 20 hot, 200 agents by turns', ...byTurns },
  { name: '… bare reads the rows', ...byTurns, barePath: readingPath },
  { name: 'POST save, bare keeps nothing', method: 'POST', path: savePath, body: save, goal: 0.25 },
  {
    name: 'POST save, bare inserts a row',
    method: 'POST',
    path: savePath,
    body: save,
    barePath: writingPath,
    goal: 0.25,
  },
  {
    name: 'POST save, bare writes the same',
    method: 'POST',
    path: savePath,
    body: save,
    barePath: rowsPath,
    goal: 0.25,
  },
];
