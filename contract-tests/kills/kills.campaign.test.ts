import { describe } from 'vitest';
import { agents } from './agents.ts';
import { describeKills, type Kill } from './kill-laws.ts';

const around = (at: number): Kill[] => [
  { moment: 'before', at },
  { moment: 'during', at },
  { moment: 'after', at },
];

const requestsOut: Kill[] = [1, 2, 3, 2, 4].map((at) => ({ moment: 'request', at }));

describe.each(Object.keys(agents))('withContext for %s', (sdk) => {
  for (const name of ['light', 'hard'] as const) {
    describeKills(sdk, name, requestsOut);
    describeKills(sdk, name, [1, 2, 3, 5].flatMap(around));
    describeKills(sdk, name, [4, 7].flatMap(around));
  }
});
