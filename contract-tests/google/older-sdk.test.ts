import { withContext } from '@ctx/agent-adapter/google';
import type { GoogleGenAI } from '@google/genai';
import { GoogleGenAI as GoogleGenAI2 } from 'google2';
import { describe } from 'vitest';
import { waysToTry } from '../ways-to-try.ts';
import { type ContextClient, describeWithContext } from '../with-context-laws.ts';
import { asks, chatAgent, clientOptions, modelsAgent } from './agents.ts';

/** Version 3 needs Node 22; this one runs on Node 20. */
const clientOf = (...[url, options]: Parameters<Parameters<typeof describeWithContext>[0]>) =>
  withContext(new GoogleGenAI2(clientOptions(url)), options) as unknown as GoogleGenAI &
    ContextClient;

describe.each(waysToTry(Object.entries(asks)))(
  'withContext for Google 2 by models.%s',
  (_, ask) => {
    describeWithContext(async (...given) => modelsAgent(ask, clientOf(...given)));
  },
);

describe('withContext for Google 2 by chats', () => {
  describeWithContext(async (...given) => chatAgent(clientOf(...given)));
});
