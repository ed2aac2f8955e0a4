import { withContext } from '@ctx/agent-adapter/openai';
import type OpenAI from 'openai';
import OpenAI6 from 'openai6';
import { describe } from 'vitest';
import { waysToTry } from '../ways-to-try.ts';
import { type ContextClient, describeWithContext } from '../with-context-laws.ts';
import { chatAgent, chatAsks, clientOptions, responseAsks, responsesAgent } from './agents.ts';

/** Version 7 needs Node 22; this one runs on Node 20. */
const clientOf = (...[url, options]: Parameters<Parameters<typeof describeWithContext>[0]>) =>
  withContext(new OpenAI6(clientOptions(url)), options) as unknown as OpenAI & ContextClient;

describe.each(waysToTry(Object.entries(responseAsks)))(
  'withContext for OpenAI 6 by responses.%s',
  (_, ask) => {
    describeWithContext(async (...given) => responsesAgent(ask, clientOf(...given)));
  },
);

describe.each(waysToTry(Object.entries(chatAsks)))(
  'withContext for OpenAI 6 by chat.completions.%s',
  (_, ask) => {
    describeWithContext(async (...given) => chatAgent(ask, clientOf(...given)));
  },
);
