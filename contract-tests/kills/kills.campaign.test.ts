import { describe } from 'vitest';
import { agents } from './agents.ts';
import { describeKills, type Kill } from './kill-laws.ts';

const around = (at: number): Kill[] => [
  { moment: 'before', at },
  { moment: 'during', at },
  { moment: 'after', at },
];

const eachAt = (moment: Kill['moment']): Kill[] => [1, 2, 3, 2, 4].map((at) => ({ moment, at }));

describe.each(Object.keys(agents))('withContext for %s', (sdk) => {
  const whole = { sdk, way: 'whole' } as const;
  for (const name of ['light', 'hard'] as const) {
    describeKills(whole, name, eachAt('request'));
    describeKills(whole, name, [1, 2, 3, 5].flatMap(around));
    describeKills(whole, name, [4, 7].flatMap(around));
  }
});

describe.each(Object.keys(agents))('withContext for %s, streamed', (sdk) => {
  const streamed = { sdk, way: 'streamed' } as const;
  for (const name of ['light', 'hard'] as const) {
    describeKills(streamed, name, eachAt('stream'));
    describeKills(streamed, name, [1, 2, 3, 5].flatMap(around));
  }
});
