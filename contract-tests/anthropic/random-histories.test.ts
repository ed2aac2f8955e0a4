import type Anthropic from '@anthropic-ai/sdk';
import { createContextManager } from '@ctx/agent-adapter';
import { openStore } from '@ctx/store';
import { memoryBackend } from '@ctx/store/backend';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { prepareParams } from '../../packages/agent-adapter/src/anthropic/prepare-params.ts';
import { problemsOf } from './judge-request.ts';

/** What `npm test` looks at of what the campaigns do. */
const share = process.env['CTX_TEST_CAMPAIGN'] === '1' ? 1 : 0.1;

type Param = Anthropic.Beta.BetaMessageParam;

/** Turns with calls; a result may be missing, come late, or stand alone. */
const histories = fc
  .array(
    fc.record({
      calls: fc.integer({ min: 0, max: 3 }),
      fate: fc.constantFrom('ordered', 'ordered', 'late', 'missing', 'orphan'),
      words: fc.integer({ min: 1, max: 400 }),
    }),
    { minLength: 1, maxLength: 12 },
  )
  .map((turns) =>
    turns.flatMap(({ calls, fate, words }, turn): Param[] => {
      const ids = Array.from({ length: calls }, (_, index) => `c${String(turn)}-${String(index)}`);
      const text = { type: 'text' as const, text: `turn ${String(turn)} ${'word '.repeat(words)}` };
      const made = ids.map((id) => ({ type: 'tool_use' as const, id, name: 'n', input: {} }));
      const results: Param[] = ids.map((id) => {
        const block = { type: 'tool_result' as const, tool_use_id: id, content: text.text };
        return { role: 'user', content: [block] };
      });
      const orphan: Param = {
        role: 'user',
        content: [{ type: 'tool_result', tool_use_id: `lost-${String(turn)}`, content: 'x' }],
      };
      return [
        { role: 'user', content: text.text },
        { role: 'assistant', content: [text, ...made] },
        ...(fate === 'late' ? [{ role: 'user', content: 'meanwhile' } as const] : []),
        ...(fate === 'missing' ? [] : results),
        ...(fate === 'orphan' ? [orphan] : []),
      ];
    }),
  );

it('no random history makes a request that the API would refuse', {
  timeout: 120_000,
}, async () => {
  const store = await openStore(memoryBackend());
  let count = 0;
  await fc.assert(
    fc.asyncProperty(histories, async (messages) => {
      count += 1;
      const manager = createContextManager({
        ...{ store, sessionId: `s${String(count)}`, compaction: false },
        model: { name: 'claude-opus-5', windowTokens: 4000, price: 'anthropic-5m' },
      });
      const asked: Param[] = [...messages, { role: 'user', content: 'and now?' }];
      const params = { model: 'claude-opus-5', max_tokens: 10, messages: asked };
      const { params: fitting } = await prepareParams(manager, params);
      expect(problemsOf(fitting as unknown as Parameters<typeof problemsOf>[0])).toEqual([]);
      await manager.end();
    }),
    { numRuns: 600 * share },
  );
});
