import { randomIds } from '@ctx/core';
import { type ContextStore, openStore, purges } from '@ctx/store';
import type { StoreBackend } from '@ctx/store/backend';
import { expect, it } from 'vitest';

export const limitMs = 120_000;

/** A store of its own, as what purges it has it. */
interface Place {
  readonly open: () => StoreBackend;
  /** How often a text stands in what the store keeps. Only when it is closed. */
  readonly count: (text: string) => Promise<number>;
}

export function countIn(bytes: Buffer, text: string): number {
  let found = 0;
  for (let at = bytes.indexOf(text); at >= 0; at = bytes.indexOf(text, at + 1)) found += 1;
  return found;
}

const kind = 'note';
const day = 86_400_000;
const now = Date.UTC(2026, 5, 1);
/** Stands in every name and text that goes, and in nothing that stays. */
const word = 'zyxomma';

async function openAt({ open }: Place, at = now, tenant = 'default'): Promise<ContextStore> {
  return openStore(open(), { tenant, clock: () => at });
}

async function save(
  { items }: ContextStore,
  id: string,
  more: { readonly agentId?: string; readonly sessionId?: string } = {},
): Promise<void> {
  await items.save({ agentId: 'eve', kind, id, content: `${id} says`, ...more });
}

/** What an agent, in a session, leaves everywhere; both bear the word. */
async function fillSession(store: ContextStore): Promise<void> {
  const [agentId, sessionId] = [`agent-${word}`, `session-${word}`];
  await store.sessions.update(sessionId, (before) => ({ ...before, agentId }));
  const call = { sessionId, toolName: 'read', queryId: `query-${word}`, taskId: `task-${word}` };
  await store.outputs.save({ ...call, args: { path: word }, result: `${word} `.repeat(500) });
  await store.events.append(sessionId, [{ type: 'note', payload: word }]);
  await store.facts.remember({ agentId, text: `${word} is known`, source: 'user', sessionId });
  await save(store, `own-${word}`, { agentId, sessionId });
  const state = await store.checkpoints.read({ agentId, sessionId });
  await store.checkpoints.commit({ state, trigger: 'manual', label: `label of ${word}` });
}

/** Items of an agent that stays, whose checkpoints name what goes; some of it is gone or replaced by then. */
async function fillEve(store: ContextStore): Promise<void> {
  const sessionId = `session-${word}`;
  for (const at of [1, 2, 3, 4]) await save(store, `${String(at)}-${word}`, { sessionId });
  await save(store, 'moves', { sessionId });
  await save(store, 'stays');
  // A session that is handed from one agent to the other.
  const given = 'handed over';
  await store.sessions.update(given, (before) => ({ ...before, agentId: `agent-${word}` }));
  const commit = async (): Promise<void> => {
    const state = await store.checkpoints.read({ agentId: 'eve', sessionId: given });
    await store.checkpoints.commit({ state, trigger: 'manual', label: 'of eve' });
  };
  await commit();
  // Files keep the copy before of a session: it names the agent until the session is saved again.
  for (const title of ['taken over', 'goes on']) {
    await store.sessions.update(given, (before) => ({ ...before, agentId: 'eve', title }));
  }
  const again = { agentId: 'eve', kind, content: 'says something else' };
  await store.items.save({ ...again, id: `1-${word}`, sessionId });
  await store.items.save({ ...again, id: 'moves', sessionId: 'stays' });
  await store.items.delete('eve', `2-${word}`);
  await save(store, `late-${word}`, { sessionId });
  await store.items.delete('eve', `late-${word}`);
  await commit();
}

/** Purges as the command and servers do, to the end. */
async function purge(
  { open }: Place,
  scope: Parameters<typeof purges.begin>[1],
  tenant = 'default',
): Promise<void> {
  const backend = open();
  const store = await openStore(backend, { tenant, clock: () => now });
  const place = { backend, tenant, clock: () => now, worker: 'one' };
  const id = await purges.begin({ ...place, ids: randomIds() }, scope);
  expect((await purges.work(place, id)).state).toBe('ended');
  await store.close();
}

/** Restores the oldest checkpoint of an agent that is left. */
async function restored(place: Place) {
  const store = await openAt(place);
  const { entries } = await store.checkpoints.list({ agentId: 'eve' });
  const { items } = await store.checkpoints.restore(entries.at(-1)?.id ?? '');
  await store.close();
  return { checkpoints: entries.length, ...items };
}

const ways: readonly (readonly [string, (place: Place) => Promise<void>])[] = [
  [
    'a session',
    async (place) => {
      const store = await openAt(place);
      await fillSession(store);
      await fillEve(store);
      await store.close();
      await purge(place, { sessions: [`session-${word}`] });
      // The agent itself stays: it has a name.
      expect(await place.count(`-${word}`)).toBe(await place.count(`agent-${word}`));
      await purge(place, { agent: `agent-${word}` });
    },
  ],
  [
    'an agent',
    async (place) => {
      const store = await openAt(place);
      await fillSession(store);
      await fillEve(store);
      await store.close();
      await purge(place, { agent: `agent-${word}` });
    },
  ],
  [
    'what is old',
    async (place) => {
      const old = await openAt(place, now - 100 * day);
      for (const at of [1, 2, 3, 4]) await save(old, `${String(at)}-${word}`);
      const sessionId = `session-${word}`;
      await old.sessions.update(sessionId, (before) => before);
      await save(old, `5-${word}`, { sessionId });
      await old.close();
      const store = await openAt(place, now - day);
      await save(store, 'stays');
      const state = await store.checkpoints.read({ agentId: 'eve' });
      await store.checkpoints.commit({ state, trigger: 'manual' });
      await store.close();
      await purge(place, { before: now - 2 * day, withPinned: false });
    },
  ],
  [
    'items, one by one',
    async (place) => {
      const store = await openAt(place);
      for (const id of [1, 2, 3, 4, 5]) await save(store, `${String(id)}-${word}`);
      await save(store, 'stays');
      for (const label of ['one', 'two']) {
        await save(store, label);
        const state = await store.checkpoints.read({ agentId: 'eve' });
        await store.checkpoints.commit({ state, trigger: 'manual', label });
      }
      for (const at of [1, 2, 3, 4, 5]) {
        await store.items.delete('eve', `${String(at)}-${word}`);
        await store.checkpoints.purge('eve', `${String(at)}-${word}`);
      }
      await store.close();
    },
  ],
];

export function checkPlace(
  makePlace: (work: (place: Place) => Promise<void>) => Promise<void>,
): void {
  it.each(ways)(
    'of %s neither name nor text is left, and a checkpoint that stays says how many items are gone',
    async (_, run) => {
      await makePlace(async (place) => {
        await run(place);
        expect(await place.count(word)).toBe(0);
        const { checkpoints, purged, missing } = await restored(place);
        expect([checkpoints > 0, purged, missing]).toEqual([true, 5, []]);
        expect(await place.count('stays')).toBeGreaterThan(0);
      });
    },
    limitMs,
  );

  it(
    'of a tenant neither name nor text is left, and another one stays',
    async () => {
      await makePlace(async (place) => {
        for (const tenant of [word, 'other']) {
          const store = await openAt(place, now, tenant);
          if (tenant === word) await fillSession(store);
          await save(store, 'stays');
          await store.close();
        }
        await purge(place, { all: true }, word);
        expect(await place.count(word)).toBe(0);
        expect(await place.count('other')).toBeGreaterThan(0);
      });
    },
    limitMs,
  );
}
