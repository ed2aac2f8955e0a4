import {
  appendFileSync,
  mkdirSync,
  renameSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { type ContextStore, openStore } from '@ctx/store';
import { memoryBackend } from '@ctx/store/backend';
import { approximateTokens } from '@ctx/tokens/approximate';
import { describe, expect, it, onTestFinished } from 'vitest';
import { storedEventOf } from '../../stored/stored-event.ts';
import { claudeLog, claudeTurn, codexLine } from '../../testing/agent-logs.ts';
import { makeFolder } from '../../testing/session-files.ts';
import { importMarkOf } from '../import-mark.ts';
import { importTranscript } from '../import-transcript.ts';
import type { ImportOptions } from '../session-import.ts';
import { followLogs, type LogFollower } from './follow-logs.ts';

const options = (): ImportOptions => ({
  redact: 'off',
  countTokens: approximateTokens,
  signal: new AbortController().signal,
});

async function start(): Promise<{ store: ContextStore; follower: LogFollower; folder: string }> {
  const store = await openStore(memoryBackend());
  const follower = followLogs(store, options());
  onTestFinished(() => {
    follower.stop();
  });
  return { store, follower, folder: makeFolder() };
}

/** The ids and the kinds of the events of a session. */
async function idsOf(store: ContextStore, sessionId = 'live'): Promise<string[]> {
  const ids: string[] = [];
  for await (const { payload } of store.events.read(sessionId)) {
    const event = storedEventOf(payload)?.event;
    ids.push(event?.id ?? event?.kind ?? '');
  }
  return ids;
}

const idsOfTurns = (turns: number): string[] =>
  Array.from({ length: turns }, (_, turn) =>
    ['p', 't', 'c', 'r'].map((id) => `${id}${turn}`),
  ).flat();

describe('a log that is followed', () => {
  it('is stored as it grows, the last response too, and looked at in vain costs nothing', async () => {
    const { store, follower, folder } = await start();
    const path = join(folder, 'live.jsonl');
    writeFileSync(path, claudeTurn(0));
    expect(await follower.look(path)).toMatchObject({ status: 'imported', messages: 4 });
    expect(await follower.look(path)).toBeUndefined();
    for (let turn = 1; turn < 5; turn += 1) {
      appendFileSync(path, claudeTurn(turn));
      expect(await follower.look(path)).toMatchObject({
        status: 'continued',
        messages: 4 * (turn + 1),
        outputs: turn + 1,
      });
      expect(await idsOf(store)).toEqual(idsOfTurns(turn + 1));
    }
    const session = await store.sessions.get('live');
    expect(session?.document.token_usage).toMatchObject({ total_input: 50, total_output: 25 });
    expect(session && importMarkOf(session)).toMatchObject({ isComplete: true });
    expect(session?.document.system_state).not.toHaveProperty('claim');
  });

  it('waits for the rest of a torn last line, wherever it is torn', async () => {
    const { store, follower, folder } = await start();
    const path = join(folder, 'live.jsonl');
    const text = claudeLog(3);
    writeFileSync(path, '');
    for (let at = 0; at < text.length; at += 97) {
      appendFileSync(path, text.slice(at, at + 97));
      await follower.look(path);
      const stored = (await store.sessions.get('live')) === undefined ? [] : await idsOf(store);
      expect(stored).toEqual(idsOfTurns(3).slice(0, stored.length));
    }
    expect(await idsOf(store)).toEqual(idsOfTurns(3));
    expect(await importTranscript(store, path, options())).toMatchObject({ status: 'unchanged' });
  });

  it('that was rotated away is a session of its own beside the one that took its place', async () => {
    const { store, follower, folder } = await start();
    const path = join(folder, 'live.jsonl');
    writeFileSync(path, claudeLog(3));
    await follower.look(path);
    renameSync(path, `${path}.1`);
    writeFileSync(path, claudeTurn(7));
    expect(await follower.look(path)).toMatchObject({ status: 'replaced', session: 'live' });
    const rotated = await follower.look(`${path}.1`);
    expect(rotated).toMatchObject({ status: 'imported', messages: 12 });
    expect(await idsOf(store, rotated?.session)).toEqual(idsOfTurns(3));
    appendFileSync(path, claudeTurn(8));
    expect(await follower.look(path)).toMatchObject({ status: 'continued', messages: 8 });
  });

  it('that was cut and written again is begun anew', async () => {
    const { store, follower, folder } = await start();
    const path = join(folder, 'live.jsonl');
    writeFileSync(path, claudeLog(3));
    await follower.look(path);
    truncateSync(path, 0);
    expect(await follower.look(path)).toBeUndefined();
    expect(await idsOf(store)).toEqual(idsOfTurns(3));
    writeFileSync(path, claudeLog(2));
    expect(await follower.look(path)).toMatchObject({ status: 'replaced', messages: 8 });
    expect(await idsOf(store)).toEqual(idsOfTurns(2));
  });

  it('that was written anew in its place and is longer now is noticed by its last bytes', async () => {
    const { store, follower, folder } = await start();
    const path = join(folder, 'live.jsonl');
    writeFileSync(path, claudeLog(2));
    await follower.look(path);
    const { ino } = statSync(path);
    writeFileSync(path, claudeTurn(0, 'another') + claudeLog(4).slice(claudeTurn(0).length));
    expect(statSync(path).ino).toBe(ino);
    expect(await follower.look(path)).toMatchObject({ status: 'replaced', messages: 16 });
    expect(await idsOf(store)).toEqual(idsOfTurns(4));
  });

  it('goes on in another process, where nothing is doubled', async () => {
    const { store, follower, folder } = await start();
    const path = join(folder, 'live.jsonl');
    writeFileSync(path, claudeLog(2));
    await follower.look(path);
    appendFileSync(path, claudeTurn(2));
    const other = followLogs(store, options());
    expect(await other.look(path)).toMatchObject({ status: 'continued', messages: 12 });
    other.stop();
    appendFileSync(path, claudeTurn(3));
    // The first one finds that its place is no longer the last, and reads again.
    expect(await follower.look(path)).toMatchObject({ status: 'continued', messages: 16 });
    expect(await idsOf(store)).toEqual(idsOfTurns(4));
  });

  it('of Codex is followed, too, each of many in its own session', async () => {
    const { store, follower, folder } = await start();
    mkdirSync(join(folder, '2026'));
    const paths = Array.from({ length: 80 }, (_, index) => join(folder, `2026/r${index}.jsonl`));
    const call = { type: 'function_call', name: 'exec', arguments: '{}', call_id: 'c' };
    const output = { type: 'function_call_output', call_id: 'c', output: 'done' };
    for (const [index, path] of paths.entries()) {
      const first = codexLine('session_meta', { id: `s${index}`, cwd: '/p' });
      writeFileSync(path, first + codexLine('response_item', call));
      expect(await follower.look(path)).toMatchObject({ session: `s${index}`, outputs: 0 });
    }
    // More than are kept ready: the oldest are read again.
    for (const path of paths) {
      appendFileSync(path, codexLine('response_item', output));
      expect(await follower.look(path)).toMatchObject({ status: 'continued', outputs: 1 });
    }
    expect((await store.sessions.list({ limit: 100 })).entries).toHaveLength(80);
  });

  it('takes the sub-agents of a session in as its lanes, also those that come or go on later', async () => {
    const store = await openStore(memoryBackend());
    let time = 0;
    const follower = followLogs(store, options(), () => (time += 1));
    const folder = makeFolder();
    const path = join(folder, 'live.jsonl');
    const agents = join(folder, 'live', 'subagents');
    writeFileSync(path, claudeLog(2));
    expect(await follower.look(path)).toMatchObject({ status: 'imported', messages: 8 });
    mkdirSync(agents, { recursive: true });
    const agent = claudeLog(2).replaceAll('"isSidechain":false', '"isSidechain":true');
    writeFileSync(join(agents, 'agent-a1.jsonl'), agent.slice(0, agent.length / 2));
    expect(await follower.look(path)).toMatchObject({ session: 'live', status: 'continued' });
    writeFileSync(join(agents, 'agent-a1.jsonl'), agent);
    // It rests ten times as long as the last look took.
    expect(await follower.look(path)).toBeUndefined();
    time += 20;
    expect(await follower.look(path)).toMatchObject({ status: 'continued', messages: 16 });
    appendFileSync(path, claudeTurn(2));
    time += 20;
    expect(await follower.look(path)).toMatchObject({ status: 'continued', messages: 20 });
    time += 20;
    expect(await follower.look(path)).toBeUndefined();
    expect((await idsOf(store)).slice(0, 12)).toEqual(idsOfTurns(3));
    expect((await store.sessions.list()).entries).toHaveLength(1);
    follower.stop();
  });
});
