import { describe } from 'vitest';
import { describeJourneys } from '../agent-journeys.ts';
import { type AgentRun, runAgent } from './run-agent.ts';

describe('an agent of Mastra', () => {
  describeJourneys<AgentRun['history']>((manager, { before = [], said, ...part }) =>
    runAgent(manager, { ...part, messages: [...before, ...said] }),
  );
});
