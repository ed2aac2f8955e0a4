import type Anthropic from '@anthropic-ai/sdk';
import { createContextManager } from '@ctx/agent-adapter';
import { createMessage } from '@ctx/agent-adapter/anthropic';
import { openStore } from '@ctx/store';
import { memoryBackend } from '@ctx/store/backend';
import { describe, expect, it } from 'vitest';
import { prepareParams } from '../../packages/agent-adapter/src/anthropic/prepare-params.ts';
import { type Answer, scriptedClient } from './scripted-server.ts';

type Param = Anthropic.Beta.BetaMessageParam;

async function open() {
  const store = await openStore(memoryBackend());
  const model = { name: 'claude-opus-5', windowTokens: 200_000, price: 'anthropic-5m' };
  return createContextManager({ store, sessionId: 's', model, compaction: false });
}

const fixed = { model: 'claude-opus-5', max_tokens: 100 };
const cache_control = { type: 'ephemeral' } as const;
const words = (index: number): string => `${String(index)} ${'word '.repeat(900)}`;

/** Turns that the host marked at some places. */
function turns(count: number, markedAt: readonly number[]): Param[] {
  return Array.from({ length: count }, (_, index): Param => {
    const text = { type: 'text' as const, text: words(index) };
    const own = markedAt.includes(index) ? { ...text, cache_control } : text;
    return { role: index % 2 === 0 ? 'user' : 'assistant', content: [own] };
  });
}

/** Places of the marks in the messages of a request. */
function markedPlaces(messages: readonly Param[]): number[] {
  return messages.flatMap(({ content }, index) =>
    JSON.stringify(content).includes('cache_control') ? [index] : [],
  );
}

describe('marks that a host places itself', () => {
  it('stay where they are, and ours take the room that is left', async () => {
    const system = [{ type: 'text' as const, text: 'rules '.repeat(2000), cache_control }];
    const messages = turns(9, [2]);
    const { params } = await prepareParams(await open(), { ...fixed, system, messages });
    expect(JSON.stringify(params.system)).toContain('cache_control');
    const places = markedPlaces(params.messages);
    expect(places).toContain(2);
    expect(places).toContain(8);
    expect(JSON.stringify(params).split('cache_control').length - 1).toBeLessThanOrEqual(4);
  });

  it('are all there are where none are to be added', async () => {
    const messages = turns(9, [2, 6]);
    const manager = await open();
    const { params } = await prepareParams(manager, { ...fixed, messages }, { cacheMarks: false });
    expect(markedPlaces(params.messages)).toEqual([2, 6]);
  });

  it('change nothing of what is known: the same requests with marks that move', async () => {
    const manager = await open();
    const inserted: number[] = [];
    manager.on('prepared', (receipt) => inserted.push(receipt.inserted));
    for (const [count, at] of [
      [5, 4],
      [7, 6],
      [9, 8],
    ] as const) {
      await prepareParams(manager, { ...fixed, messages: turns(count, [at]) });
    }
    expect(inserted).toEqual([5, 2, 2]);
  });
});

describe('the provider’s reason for a miss of its cache', () => {
  it('is held against the cause that was expected', async () => {
    const manager = await open();
    const answer = (reason: string | null, cached: number): Answer => ({
      content: [{ type: 'text', text: 'ok' }],
      stop_reason: 'end_turn',
      usage: { input_tokens: 9000 - cached, cache_read_input_tokens: cached, output_tokens: 2 },
      diagnostics: {
        cache_miss_reason:
          reason === null ? null : { type: reason, cache_missed_input_tokens: 8000 },
      },
    });
    const answers = [
      answer(null, 0),
      answer('system_changed', 0),
      answer('tools_changed', 0),
    ] as const;
    const { client } = scriptedClient((_request, count) => answers[count - 1] ?? answer(null, 0));
    const ask = async (system: string) => {
      const params = { ...fixed, system, messages: turns(9, []) };
      const { receipt } = await createMessage(manager, params, (fitting) =>
        client.beta.messages.create(fitting),
      );
      return receipt.cacheDiagnosis;
    };
    expect(await ask('one')).toBeUndefined();
    expect(await ask('another')).toEqual({
      ...{ reported: 'system', predicted: 'system', agrees: true },
    });
    expect(await ask('another')).toMatchObject({ reported: 'tools', agrees: false });
  });
});
