import { describe } from 'vitest';
import { agents } from './agents.ts';
import { describeKills } from './kill-laws.ts';

describe.each(Object.keys(agents))('withContext for %s', (sdk) => {
  describeKills(sdk, 'light', [
    { moment: 'request', at: 4 },
    { moment: 'during', at: 3 },
  ]);
});
