import { describe } from 'vitest';
import { agents } from './agents.ts';
import { describeKills } from './kill-laws.ts';

/** The campaigns kill these. */
const frameworks = ['LangChain', 'Mastra', 'OpenAI Agents'];

describe.each(Object.keys(agents).filter((sdk) => !frameworks.includes(sdk)))(
  'withContext for %s',
  (sdk) => {
    const way = sdk === 'OpenAI Chat' ? 'streamed' : 'whole';
    describeKills({ sdk, way }, 'light', [
      { moment: way === 'streamed' ? 'stream' : 'request', at: 4 },
      { moment: 'during', at: 3 },
    ]);
  },
);
