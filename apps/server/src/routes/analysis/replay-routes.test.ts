import { setTimeout as wait } from 'node:timers/promises';
import { automaticCompaction } from '@ctx/agent-adapter';
import { playImported } from '@ctx/replay';
import { tokenCounterFor } from '@ctx/tokens';
import { sessionLog } from '@ctx/truncation';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bundledThread } from '../../test-support/bundled-thread.ts';
import { at, type RunningServer, startServer } from '../../test-support/start-server.ts';

/** A transcript whose results differ in every line. */
function transcript(id: string, calls: number): string {
  const messages: unknown[] = [{ role: 'user', content: 'find the rows' }];
  for (let call = 0; call < calls; call += 1) {
    const use = { type: 'tool_use', id: `c${String(call)}`, name: 'Bash', input: { call } };
    const rows = Array.from({ length: 40 }, (_, row) => `row ${String(row * call)} of ${id}`);
    const result = { type: 'tool_result', tool_use_id: use.id, content: rows.join('\n') };
    messages.push({ role: 'assistant', content: [use] }, { role: 'user', content: [result] });
  }
  messages.push({ role: 'assistant', content: [{ type: 'text', text: 'found them' }] });
  return JSON.stringify({ id, messages });
}

/** A transcript of long answers, which fill a window that no result can leave. */
function talk(id: string, turns: number): string {
  const words = Math.ceil(60_000 / turns);
  const messages = Array.from({ length: turns }, (_, turn) => {
    const why = Array.from(
      { length: words },
      (_word, word) => `reason ${String(turn * 37 + word)}`,
    );
    return [
      { role: 'user', content: `go on with ${String(turn)}` },
      { role: 'assistant', content: [{ type: 'text', text: why.join(', ') }] },
    ];
  });
  return JSON.stringify({ id, messages: messages.flat() });
}

let server: RunningServer;
let key: string;

async function bring(id: string, content: string): Promise<void> {
  const body = { name: `${id}.json`, content };
  expect((await server.call('/v1/import', { key, body })).status).toBe(200);
}

const call = async (path: string, body?: object, method?: string) =>
  server.call(`/v1/sessions/${path}`, {
    ...{ key, ...(body === undefined ? {} : { body }) },
    ...(method === undefined ? {} : { method }),
  });

/** Watches a replay until it is over; returns every state that it was in, and the steps. */
async function watchTo(
  path: string,
): Promise<{ readonly states: string[]; readonly steps: number }> {
  const states: string[] = [];
  for (;;) {
    const { json } = await call(path);
    states.push(String(at(json, 'state')));
    if (states.at(-1) !== 'running') return { states, steps: Number(at(json, 'steps')) };
    await wait(20);
  }
}

beforeAll(async () => {
  server = await startServer({
    ...{ replayThread: await bundledThread(), logLevel: 'error' },
    tokenCounter: tokenCounterFor(),
  });
  key = await server.key('write');
  await bring('long', transcript('long', 220));
  await bring('short', transcript('short', 3));
});
afterAll(() => server.stop());

describe('the replay of an imported session', () => {
  it('is watched while it runs on a thread, and then its views are those of a replay in the same process', async () => {
    const started = await call('long/replays', { mode: 'thrifty' });
    expect(started.status).toBe(202);
    expect(started.json).toMatchObject({ state: 'running', steps: 0 });
    const { states, steps } = await watchTo(`long/replays/${String(at(started.json, 'id'))}`);
    expect(states.at(-1)).toBe('done');
    expect(steps).toBe(221);
    const store = await server.stores.store('default');
    const played = await playImported(store, 'long', { mode: 'thrifty' });
    if (played === undefined) throw new TypeError('it was imported');
    const log = sessionLog(played.store, 'long');
    const { timeline, carried: parts } = await log.sent();
    const requests = at((await call('long/requests?mode=thrifty')).json, 'requests');
    const sizes = timeline.map(({ number, tokens, predictedTokens }) => ({
      ...{ number, tokens, predictedTokens },
    }));
    expect(sizes.some(({ tokens }, index) => tokens < (sizes[index - 1]?.tokens ?? 0))).toBe(true);
    expect(requests).toMatchObject(sizes);
    const { segments } = await log.view();
    const answer = at((await call('long/view?mode=thrifty')).json, 'segments');
    expect(answer).toMatchObject(
      segments.map(({ form, tokens }) => ({ form, tokensAfter: tokens })),
    );
    const carried = parts.reduce((sum, { tokens }) => sum + tokens, 0);
    const cost = (await call('long/cost?mode=thrifty')).json;
    expect(at(cost, 'carriedTokens')).toBe(carried);
  });

  it.each([
    ['in the server', 60],
    ['on a thread', 200],
  ])('is compacted as `ctx replay` compacts it, %s', async (_place, turns) => {
    const id = `talk-${String(turns)}`;
    await bring(id, talk(id, turns));
    const store = await server.stores.store('default');
    const played = await playImported(store, id, { compactWindow: automaticCompaction });
    if (played === undefined) throw new TypeError('it was imported');
    const { timeline } = await sessionLog(played.store, id).sent();
    expect(timeline.some(({ compaction }) => compaction !== undefined)).toBe(true);
    const requests = at((await call(`${id}/requests?mode=default`)).json, 'requests');
    expect(requests).toMatchObject(timeline.map(({ number, tokens }) => ({ number, tokens })));
  });

  it('is kept: a second watch finds it done', async () => {
    await call('long/requests?mode=evidence');
    const { json } = await call('long/replays', { mode: 'evidence' });
    expect(json).toMatchObject({ state: 'done' });
  });

  it('is not cancelled while another watch needs it, and is begun again after it was', async () => {
    const [first, second] = [
      (await call('long/replays', {})).json,
      (await call('long/replays', {})).json,
    ];
    const leave = (json: unknown) =>
      call(`long/replays/${String(at(json, 'id'))}`, undefined, 'DELETE');
    expect((await leave(first)).status).toBe(200);
    expect((await call(`long/replays/${String(at(second, 'id'))}`)).json).toMatchObject({
      state: 'running',
    });
    await leave(second);
    expect((await leave(second)).status).toBe(404);
    const again = (await call('long/replays', {})).json;
    const { states } = await watchTo(`long/replays/${String(at(again, 'id'))}`);
    expect(states.at(-1)).toBe('done');
  });

  it('is not cancelled under a call that waits for its window', async () => {
    await bring('waited', transcript('waited', 160));
    const { json } = await call('waited/replays', {});
    const requests = call('waited/requests');
    await wait(100);
    await call(`waited/replays/${String(at(json, 'id'))}`, undefined, 'DELETE');
    expect(await requests).toMatchObject({ status: 200, json: { total: 161 } });
  });

  it('is done at once for a short session, one as it was recorded, and one that an agent keeps', async () => {
    expect((await call('short/replays', {})).json).toMatchObject({ state: 'done' });
    expect((await call('long/replays', { mode: 'recorded' })).json).toMatchObject({
      ...{ state: 'done', steps: 0 },
    });
    expect((await call('nothing/replays', {})).status).toBe(404);
  });
});
