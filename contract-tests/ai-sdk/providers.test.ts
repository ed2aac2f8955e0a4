import { createContextManager } from '@ctx/agent-adapter';
import {
  contextMiddleware,
  contextPrepareStep,
  contextTools,
  wrapTools,
} from '@ctx/agent-adapter/ai-sdk';
import { openStore } from '@ctx/store';
import { memoryBackend } from '@ctx/store/backend';
import * as ai6 from 'ai6';
import { createAnthropic as anthropic6 } from 'ai6-anthropic';
import { createGoogleGenerativeAI as google6 } from 'ai6-google';
import { createOpenAI as openai6 } from 'ai6-openai';
import * as ai7 from 'ai7';
import { createAnthropic as anthropic7 } from 'ai7-anthropic';
import { createGoogleGenerativeAI as google7 } from 'ai7-google';
import { createOpenAI as openai7 } from 'ai7-openai';
import { describe, expect, it } from 'vitest';
import { asked, rounds, script, windowTokens } from '../hard-scenario.ts';
import { tools } from './agents.ts';
import { startProvider } from './provider-server.ts';
import { waysToTry } from '../ways-to-try.ts';

const models = {
  6: {
    'openai responses': (baseURL: string) => openai6({ baseURL, apiKey: 'none' })('gpt-5'),
    'openai chat': (baseURL: string) => openai6({ baseURL, apiKey: 'none' }).chat('gpt-4.1'),
    anthropic: (baseURL: string) => anthropic6({ baseURL, apiKey: 'none' })('claude-sonnet-4-5'),
    google: (baseURL: string) => google6({ baseURL, apiKey: 'none' })('gemini-2.5-pro'),
  },
  7: {
    'openai responses': (baseURL: string) => openai7({ baseURL, apiKey: 'none' })('gpt-5'),
    'openai chat': (baseURL: string) => openai7({ baseURL, apiKey: 'none' }).chat('gpt-4.1'),
    anthropic: (baseURL: string) => anthropic7({ baseURL, apiKey: 'none' })('claude-sonnet-4-5'),
    google: (baseURL: string) => google7({ baseURL, apiKey: 'none' })('gemini-2.5-pro'),
  },
} as const;

type Provider = keyof (typeof models)[6];
type Wiring = 'middleware' | 'prepareStep';

interface Run {
  readonly version: 6 | 7;
  readonly provider: Provider;
  readonly wiring: Wiring;
  /** Whether results go through `wrapTools`, which stores them as they come. */
  readonly isWrapped: boolean;
}

async function run({ version, provider, wiring, isWrapped }: Run) {
  const store = await openStore(memoryBackend());
  const own = { name: 'm', windowTokens, price: 'anthropic-5m' };
  const manager = createContextManager({ store, sessionId: 's', model: own, compaction: false });
  const { countTokens } = store;
  await using server = await startProvider(script, { windowTokens, countTokens });
  const offered = {
    ...(isWrapped ? wrapTools(manager, tools) : tools),
    ...(version === 6
      ? contextTools(manager, ai6.jsonSchema)
      : contextTools(manager, ai7.jsonSchema)),
  };
  const middleware = contextMiddleware(manager);
  const step = wiring === 'prepareStep' ? { prepareStep: contextPrepareStep(manager) } : {};
  const history: ai6.ModelMessage[] = [];
  for (let round = 0; round < rounds; round += 1) {
    history.push({ role: 'user', content: asked(round) });
    if (version === 6) {
      const plain = models[6][provider](server.url);
      const model =
        wiring === 'middleware' ? ai6.wrapLanguageModel({ model: plain, middleware }) : plain;
      const given = { model, tools: offered, messages: history, maxRetries: 0, ...step };
      const stopWhen = ai6.stepCountIs(10);
      const { response } = await ai6.generateText({ ...given, system: 'be brief', stopWhen });
      history.push(...response.messages);
    } else {
      const plain = models[7][provider](server.url);
      const model =
        wiring === 'middleware' ? ai7.wrapLanguageModel({ model: plain, middleware }) : plain;
      const messages = history as readonly object[] as ai7.ModelMessage[];
      const given = { model, tools: offered, messages, maxRetries: 0, ...step };
      const stopWhen = ai7.isStepCount(10);
      const answered = await ai7.generateText({ ...given, instructions: 'be brief', stopWhen });
      history.push(...(answered.responseMessages as readonly object[] as ai6.ModelMessage[]));
    }
  }
  await manager.end();
  return { sizes: server.sizes, refusals: server.refusals };
}

const runs = waysToTry([7, 6] as const).flatMap((version) =>
  (Object.keys(models[6]) as Provider[]).flatMap((provider) =>
    waysToTry<Run>([
      { version, provider, wiring: 'middleware', isWrapped: true },
      { version, provider, wiring: 'middleware', isWrapped: false },
      { version, provider, wiring: 'prepareStep', isWrapped: false },
    ]),
  ),
);

describe('the hard scenario on the providers’ own packages', () => {
  it.each(runs)(
    'is refused nothing: AI SDK $version, $provider, by $wiring, results stored as they come: $isWrapped',
    async (given) => {
      const { sizes, refusals } = await run(given);
      expect(refusals).toEqual([]);
      expect(sizes).toHaveLength(script.length);
    },
    60_000,
  );
});
