import { expect, test } from 'vitest';
import { memoryBackend } from '../backend/memory/memory-backend.ts';
import { type ContextStore, openStore } from '../open-store.ts';

/** Changes all that an answer holds, at every depth, as far as it lets itself be changed. */
function spoil(value: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  for (const key of Object.keys(value)) {
    const member: unknown = Reflect.get(value, key);
    spoil(member);
    if (typeof member === 'string') Reflect.set(value, key, 'HACK');
    if (typeof member === 'number') Reflect.set(value, key, -7);
  }
  if (Array.isArray(value)) value.push('HACK');
  else Reflect.set(value, 'hack', true);
}

async function all<Value>(values: AsyncIterable<Value>): Promise<Value[]> {
  const list: Value[] = [];
  for await (const value of values) list.push(value);
  return list;
}

async function filled() {
  const store = await openStore(memoryBackend(), { clock: () => 1000 });
  const { items, outputs, events, sessions, facts, checkpoints } = store;
  const inputs = [
    {
      result: { text: 'alpha', list: [{ deep: ['beta'] }] },
      args: { path: 'a.ts', more: { b: 1 } },
    },
    { result: 'alpha '.repeat(2000), args: { path: 'b.ts' } },
  ].map((each) => ({ sessionId: 's', toolName: 'Read', queryId: 'q', ...each }));
  const [saved] = await outputs.saveAll(inputs);
  const drafts = [
    { agentId: 'a', id: 'one', kind: 'TASK', content: 'alpha', source: 'user' },
  ] as const;
  await items.saveMany(drafts);
  const written = [{ type: 'said', payload: { deep: [{ text: 'alpha' }] } }];
  await events.append('s', written);
  await sessions.update('s', (session) => ({ ...session, title: 'alpha' }));
  await facts.remember({ text: 'alpha is a letter' });
  const { checkpointId = '' } = await checkpoints.flashSave({ agentId: 'a', sessionId: 's' });
  for (const given of [inputs, drafts, written]) spoil(given);
  return { store, id: saved?.pointer.id ?? '', checkpointId };
}

type Filled = Awaited<ReturnType<typeof filled>>;

const reads: Readonly<Record<string, (filled: Filled) => unknown>> = {
  'outputs.load': ({ store, id }) => store.outputs.load({ sessionId: 's', id }),
  'outputs.pointer': ({ store, id }) => store.outputs.pointer({ id }),
  'outputs.pointers': ({ store }) => store.outputs.pointers({ sessionId: 's' }),
  'outputs.search': ({ store }) => store.outputs.search({ text: 'alpha' }),
  'outputs.relevant': ({ store }) => store.outputs.relevant({ sessionId: 's', prompt: 'alpha' }),
  'outputs.relevant by keyword': ({ store }) =>
    store.outputs.relevant({ sessionId: 's', prompt: 'alpha', strategy: 'keyword' }),
  'outputs.tally': ({ store }) => store.outputs.tally(),
  'outputs.planRetention': ({ store }) => store.outputs.planRetention({ maxAgeMs: 0 }),
  'items.get': ({ store }) => store.items.get('a', 'one', { peek: true }),
  'items.load': ({ store }) => store.items.load('a'),
  'items.inTier': ({ store }) => store.items.inTier('a'),
  'items.briefs': ({ store }) => store.items.briefs('a'),
  'items.list': ({ store }) => store.items.list('a'),
  'items.each': ({ store }) => all(store.items.each('a')),
  'items.search': ({ store }) => store.items.search('a', { text: 'alpha', peek: true }),
  'items.stats': ({ store }) => store.items.stats('a'),
  'items.agents': ({ store }) => store.items.agents(),
  'items.changedSince': ({ store }) => store.items.changedSince('a', 0),
  'items.changedTiersSince': ({ store }) => store.items.changedTiersSince('a', 0),
  'events.read': ({ store }) => all(store.events.read('s')),
  'events.tally': ({ store }) => store.events.tally('s'),
  'sessions.get': ({ store }) => store.sessions.get('s'),
  'sessions.summary': ({ store }) => store.sessions.summary('s'),
  'sessions.list': ({ store }) => store.sessions.list(),
  'facts.recall': ({ store }) => store.facts.recall({ query: 'alpha' }),
  'facts.list': ({ store }) => store.facts.list(),
  'facts.get': ({ store }) => store.facts.get('alpha is a letter'),
  'checkpoints.get': ({ store, checkpointId }) => store.checkpoints.get(checkpointId),
  'checkpoints.list': ({ store }) => store.checkpoints.list({ agentId: 'a' }),
  'checkpoints.manifest': ({ store, checkpointId }) => store.checkpoints.manifest(checkpointId),
  'checkpoints.diffSince': ({ store, checkpointId }) =>
    store.checkpoints.diffSince({ checkpointId }),
  'checkpoints.changesSince': ({ store }) => store.checkpoints.changesSince('a', 0),
  'compactions.list': ({ store }) => (store satisfies ContextStore).compactions.list('s'),
};

test.each(Object.entries(reads))(
  '%s hands out what is its own: a caller who changes it changes no later answer',
  async (_name, read) => {
    const place = await filled();
    const first = await read(place);
    const before = structuredClone(first);
    expect(JSON.stringify(before)).not.toContain('HACK');
    for (let look = 0; look < 4; look += 1) {
      spoil(look === 0 ? first : await read(place));
      expect(await read(place)).toEqual(before);
    }
  },
);
