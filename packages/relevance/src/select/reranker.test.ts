import { describe, expect, it } from 'vitest';
import type { RankedDocument } from '../index/relevance-document.ts';
import { rerank } from './reranker.ts';

const parts = { text: 0, args: 0, title: 0, named: 0, activity: 0, recency: 0, fileRead: 0 };
const ranked: RankedDocument[] = [
  { id: 'a', score: 1, parts },
  { id: 'b', score: 0.9, parts },
  { id: 'c', score: 0.1, parts },
];
const query = { text: 'why' };

describe('rerank', () => {
  it('adds the weighted share of the best judgement', async () => {
    const reranker = (): Map<string, number> =>
      new Map([
        ['b', 8],
        ['a', 4],
      ]);
    const result = await rerank(ranked, query, { reranker, weight: 0.5 });
    expect(result.map(({ id, score }) => [id, score])).toEqual([
      ['b', 1.4],
      ['a', 1.25],
      ['c', 0.1],
    ]);
    expect(result[0]?.parts.reranked).toBe(0.5);
  });

  it('asks about the best only and keeps the rest behind them', async () => {
    const asked: string[][] = [];
    const reranker = ({ ids }: { ids: readonly string[] }): Map<string, number> => {
      asked.push([...ids]);
      return new Map([['b', 1]]);
    };
    const result = await rerank(ranked, query, { reranker, depth: 2 });
    expect(asked).toEqual([['a', 'b']]);
    expect(result.map(({ id }) => id)).toEqual(['b', 'a', 'c']);
  });

  it('takes scores that are no numbers for none', async () => {
    const reranker = (): Map<string, number> =>
      new Map([
        ['a', Number.NaN],
        ['b', -3],
      ]);
    const result = await rerank(ranked, query, { reranker });
    expect(result.map(({ id }) => id)).toEqual(['a', 'b', 'c']);
  });

  it.each([undefined, null, ['a'], { a: 1 }])(
    'refuses %j in place of a map, and says what is wanted',
    async (answer) => {
      // As callers without types may write one.
      const answers: () => never = () => answer as never;
      await expect(rerank(ranked, query, { reranker: answers })).rejects.toMatchObject({
        code: 'CTX_INVALID_INPUT',
        message: expect.stringContaining('must return a Map') as string,
      });
    },
  );

  it('passes on what the reranker throws', async () => {
    const reranker = (): never => {
      throw new Error('offline');
    };
    await expect(rerank(ranked, query, { reranker })).rejects.toThrow('offline');
  });

  it('does not wait for a reranker that hangs once the caller gives up, and asks none then', async () => {
    const stop = new AbortController();
    let asked = 0;
    const reranker = (): Promise<never> => {
      asked += 1;
      return new Promise(() => undefined);
    };
    const pending = rerank(ranked, query, { reranker, signal: stop.signal });
    stop.abort();
    await expect(pending).rejects.toMatchObject({ code: 'CTX_ABORTED' });
    const again = rerank(ranked, query, { reranker, signal: stop.signal });
    await expect(again).rejects.toMatchObject({ code: 'CTX_ABORTED' });
    expect(asked).toBe(1);
  });

  it('asks nothing about nothing', async () => {
    const reranker = (): never => {
      throw new Error('asked');
    };
    expect(await rerank([], query, { reranker })).toEqual([]);
  });
});
