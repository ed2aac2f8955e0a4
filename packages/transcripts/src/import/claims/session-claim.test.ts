import { spawnSync } from 'node:child_process';
import { hostname } from 'node:os';
import { type ContextStore, emptySessionDocument, openStore, type Session } from '@ctx/store';
import { memoryBackend } from '@ctx/store/backend';
import { approximateTokens } from '@ctx/tokens/approximate';
import { expect, test } from 'vitest';
import { longSession, makeFolder, writeJsonFile } from '../../testing/session-files.ts';
import { importMarkOf } from '../import-mark.ts';
import { importTranscript } from '../import-transcript.ts';
import { claimOf, claimSession, isAlive, type SessionClaim } from './session-claim.ts';

const newSession = (id: string): Session => ({
  id,
  version: 0,
  createdAt: 1,
  updatedAt: 1,
  document: emptySessionDocument(id),
});

/** The claim that this process would write. */
async function ownClaim(store: ContextStore): Promise<SessionClaim> {
  const claimed = await claimSession(store, newSession('claimed'), async () => {
    const session = await store.sessions.get('claimed');
    return session && claimOf(session);
  });
  if (claimed?.result === undefined) throw new Error('the session was not claimed');
  return claimed.result;
}

async function leaveClaim(store: ContextStore, sessionId: string, claim: SessionClaim) {
  await store.sessions.update(sessionId, (session) => {
    const { document } = session;
    const system_state = { ...document.system_state, claim };
    return { ...session, document: { ...document, system_state } };
  });
}

function deadPid(): number {
  return spawnSync(process.execPath, ['--version']).pid;
}

test('of several writers that read the same version one gets the claim', async () => {
  const store = await openStore(memoryBackend());
  const session = newSession('one');
  const works = [1, 2, 3].map((name) => claimSession(store, session, async () => name));
  const done = await Promise.all(works);
  expect(done.filter((one) => one !== undefined)).toHaveLength(1);
  const after = await store.sessions.get('one');
  expect(after?.document.system_state).toEqual({});
});

test('a claim is gone when its work fails', async () => {
  const store = await openStore(memoryBackend());
  const work = claimSession(store, newSession('one'), () => Promise.reject(new Error('no')));
  await expect(work).rejects.toThrow('no');
  const session = await store.sessions.get('one');
  expect(session && claimOf(session)).toBeUndefined();
});

test('who lost the claim writes the session no more', async () => {
  const store = await openStore(memoryBackend());
  const thief: SessionClaim = { id: 'thief', pid: 1, host: 'elsewhere', at: 1 };
  const done = await claimSession(store, newSession('one'), async (claim) => {
    await leaveClaim(store, 'one', thief);
    await claim.renew();
  });
  expect(done).toBeUndefined();
  const session = await store.sessions.get('one');
  expect(session && claimOf(session)).toEqual(thief);
});

test('a change of the session by others does not cost the claim', async () => {
  const store = await openStore(memoryBackend());
  const done = await claimSession(store, newSession('one'), async (claim) => {
    await store.sessions.update('one', (session) => ({ ...session, title: 'mine' }));
    await claim.renew();
    await claim.finish((session) => session);
    return 'done';
  });
  expect(done).toEqual({ result: 'done' });
  expect(await store.sessions.get('one')).toMatchObject({ title: 'mine' });
});

test('a claim lives as long as its process, and one of another machine for a minute', async () => {
  const store = await openStore(memoryBackend());
  const own = await ownClaim(store);
  expect(own.host).toContain(hostname());
  expect(isAlive(own)).toBe(false);
  expect(isAlive({ ...own, pid: process.ppid })).toBe(true);
  expect(isAlive({ ...own, pid: deadPid() })).toBe(false);
  const foreign = { ...own, host: 'another machine', pid: deadPid() };
  expect(isAlive({ ...foreign, at: Date.now() })).toBe(true);
  expect(isAlive({ ...foreign, at: Date.now() - 61_000 })).toBe(false);
});

test('what a killed import left behind its last safe place is taken back', async () => {
  const store = await openStore(memoryBackend());
  const path = writeJsonFile(makeFolder(), 'chat.json', longSession('one', 5));
  const importOnce = async () =>
    importTranscript(store, path, {
      redact: 'off',
      countTokens: approximateTokens,
      signal: new AbortController().signal,
    });
  await importOnce();
  const { events } = await store.events.tally('one');
  for await (const event of store.events.read('one', { limit: 1 })) {
    await store.events.append('one', [{ type: 'message', payload: event.payload }]);
  }
  await store.outputs.save({ sessionId: 'one', toolName: 'Bash', args: {}, result: 'half' });
  await store.sessions.update('one', (session) => {
    const system_state = { import: { ...importMarkOf(session), isComplete: false } };
    return { ...session, document: { ...session.document, system_state } };
  });
  await leaveClaim(store, 'one', { ...(await ownClaim(store)), pid: deadPid() });
  expect(await importOnce()).toMatchObject({ status: 'continued', outputs: 5 });
  expect(await store.events.tally('one')).toMatchObject({ events });
  expect(await store.outputs.tally({ sessionId: 'one' })).toMatchObject({ outputs: 5 });
  expect(await importOnce()).toMatchObject({ status: 'unchanged' });
});

test('waiting for another writer can be stopped', async () => {
  const store = await openStore(memoryBackend());
  const path = writeJsonFile(makeFolder(), 'chat.json', longSession('one', 2));
  const identity = path;
  const stop = new AbortController();
  const options = { redact: 'off', countTokens: approximateTokens } as const;
  await importTranscript(store, identity, { ...options, signal: stop.signal });
  await leaveClaim(store, 'one', { ...(await ownClaim(store)), pid: process.ppid });
  const waiting = importTranscript(store, identity, {
    ...options,
    redact: 'report',
    signal: stop.signal,
    onWait: () => {
      stop.abort();
    },
  });
  await expect(waiting).rejects.toMatchObject({ code: 'CTX_ABORTED' });
});
