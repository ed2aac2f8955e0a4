import { type ContextStore, openStore } from '@ctx/store';
import type { StoreBackend } from '@ctx/store/backend';
import { countedBackend } from './counted-backend.ts';
import { type CallCost, createMeter, type Meter } from './measure-calls.ts';

const perSession = 1000;

function outputAt(at: number) {
  const words = `file${String(at)} of module${String(at % 997)} built in ${String(at % 61)} ms`;
  return {
    sessionId: `session-${String(Math.floor(at / perSession))}`,
    toolName: 'Bash',
    args: { command: `make ${String(at)}` },
    result: `${words}\nall well\n`.repeat(6),
  };
}

function itemAt(at: number) {
  return {
    agentId: 'ada',
    kind: at % 3 === 0 ? 'TASK' : 'NOTE',
    content: `note ${String(at)} on file${String(at % 9973)}`,
  };
}

const batch = 500;

/** Saves what lies between two places. */
async function fill(store: ContextStore, from: number, to: number): Promise<void> {
  for (let at = from; at < to; at += batch) {
    const places = Array.from({ length: Math.min(batch, to - at) }, (_, index) => at + index);
    await store.outputs.saveAll(places.map(outputAt));
    await store.items.saveMany(places.map(itemAt));
  }
}

/** How many calls a median is of. */
const looked = 11;

async function lookAt(store: ContextStore, meter: Meter, size: number): Promise<void> {
  const sessionId = 'session-0';
  const run: Meter['run'] = (call, work) => meter.run(call, work);
  const relevant = (prompt: string) => store.outputs.relevant({ sessionId, prompt });
  await run('outputs.relevant, first', () => relevant('file7'));
  for (let time = 0; time < looked; time += 1) {
    const at = size + time;
    await run('outputs.save', () => store.outputs.save({ ...outputAt(at), sessionId: 'new' }));
    await run('outputs.pointers', () => store.outputs.pointers({ sessionId, limit: 20 }));
    await run('outputs.search, rare', () => store.outputs.search({ text: `file${String(time)}` }));
    await run('outputs.search, usual', () => store.outputs.search({ text: 'module5 well' }));
    await run('outputs.relevant', () => relevant(`file${String(time)}`));
    await run('outputs.tally', () => store.outputs.tally());
    await run('items.save', () => store.items.save({ ...itemAt(at), agentId: 'ada' }));
    await run('items.list, hottest', () => store.items.list('ada', { tier: 'hot', limit: 20 }));
    await run('items.search, rare', () =>
      store.items.search('ada', { text: `file${String(time)}`, peek: true }),
    );
    await run('items.stats', () => store.items.stats('ada'));
    await run('sessions.update', () => store.sessions.update('new', (before) => before));
    await run('events.append', () => store.events.append('new', [{ type: 'note', payload: at }]));
    await run('flashSave', () =>
      store.checkpoints.flashSave({ agentId: 'ada', sessionId: 'new', trigger: 'manual' }),
    );
  }
}

/** Fills a store to each of these numbers of outputs, and of items of one agent, and returns what calls take there. */
export async function callsOfStores(
  backend: StoreBackend,
  sizes: readonly number[],
): Promise<ReadonlyMap<number, readonly CallCost[]>> {
  const meter = createMeter();
  const { count, countTokens: tokenCounter } = meter;
  const store = await openStore(countedBackend(backend, count), { tokenCounter });
  const found = new Map<number, readonly CallCost[]>();
  let filled = 0;
  for (const size of sizes) {
    await fill(store, filled, size);
    filled = size;
    await lookAt(store, meter, size);
    found.set(size, meter.take());
  }
  await store.close();
  return found;
}
