import { performance } from 'node:perf_hooks';
import type { ContextStore } from '@ctx/store';

/** Many saves one upon the other, and the searches behind them: what is put off shows here. */
export interface LongRun {
  readonly saves: number;
  /** Mean of all saves, ms: with the words that were found meanwhile, checkpoints and garbage. */
  readonly meanSave: number;
  /** The first search of this process, ms: it finds the words that still wait. */
  readonly firstSearch: number;
  readonly secondSearch: number;
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

/** Saves all texts into a session of its own, one after the other, then searches twice. */
export async function measureLongRun(
  store: ContextStore,
  texts: readonly string[],
): Promise<LongRun> {
  const all = await timed(async () => {
    for (const [index, result] of texts.entries()) {
      await store.outputs.save({ sessionId: 'long', toolName: 'Bash', args: { index }, result });
    }
  });
  const text = (texts.at(-1) ?? '').slice(0, 40);
  const search = () => store.outputs.search({ text, sessionId: 'long' });
  const firstSearch = await timed(search);
  const secondSearch = await timed(search);
  return { saves: texts.length, meanSave: all / texts.length, firstSearch, secondSearch };
}

/** The mean of raw saves, ms. */
export function measureRawRun(save: (index: number) => void, saves: number): number {
  const start = performance.now();
  for (let index = 0; index < saves; index += 1) save(index);
  return (performance.now() - start) / saves;
}
