import { readFileSync } from 'node:fs';
import { automaticCompaction } from '@ctx/agent-adapter';
import { priceOfModel } from '@ctx/proxy';
import { replayFiles, replayPolicies } from '@ctx/replay';
import { openStore } from '@ctx/store';
import { memoryBackend } from '@ctx/store/backend';
import { tokenCounterFor } from '@ctx/tokens';
import { importedEvents } from '@ctx/transcripts';
import { importBytes } from '@ctx/transcripts/import';
import { expect, it } from 'vitest';
import { createImportedWindows } from '../windows/imported-windows.ts';
import { createKeptAnalyses } from './kept-analyses.ts';
import { readCost } from './read-costs.ts';

const file = new URL('../../../cli/demo/session.json', import.meta.url);

it('the page says of a recorded session that ctx saved what `ctx replay` finds, and cost as much', async () => {
  const countTokens = tokenCounterFor();
  const store = await openStore(memoryBackend(), { tokenCounter: countTokens });
  const { signal } = new AbortController();
  await importBytes(
    store,
    { name: 'session.json', bytes: readFileSync(file) },
    { redact: 'off', countTokens, signal, sessionId: 'demo' },
  );
  const context = { imported: createImportedWindows(), analyses: createKeptAnalyses() };
  const cost = await readCost(context, store, { session: 'demo', mode: 'default' });
  const events = [];
  for await (const { event } of importedEvents(store, 'demo')) events.push(event);
  const { sessions } = await replayFiles(
    [{ sessionId: 'demo', file: 'demo', format: 'stored', events }],
    {
      openBackend: async () => memoryBackend(),
      policies: replayPolicies.filter(({ name }) => name === 'none' || name === 'ctx'),
      windowTokens: 200_000,
      price: priceOfModel(undefined).price,
      compactWindow: automaticCompaction,
      redact: 'off',
      createRedactor: () => undefined,
      ...{ times: {}, withoutGaps: false, onProgress: () => undefined, signal },
    },
  );
  const [none = NaN, ctx = NaN] = sessions[0]?.policies.map(({ dollars }) => dollars) ?? [];
  expect(none - ctx).toBeGreaterThan(1);
  // The window counts each block as a message of its own: a third of a percent more. To the cent, both are equal.
  expect(cost.savedDollars).toBeCloseTo(none - ctx, 2);
  const spent = cost.models.reduce((sum, one) => sum + one.inputDollars + one.outputDollars, 0);
  // So is the input of its requests; the answers are counted alike.
  expect(Math.abs(spent - ctx) / ctx).toBeLessThan(0.007);
  const outputs = sessions[0]?.policies.map(({ outputTokens }) => outputTokens);
  expect(cost.models.map(({ outputTokens }) => outputTokens)).toEqual(outputs?.slice(1));
}, 120_000);
