import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bundledThread } from '../../test-support/bundled-thread.ts';
import { type RunningServer, startServer } from '../../test-support/start-server.ts';

/** A transcript of so many messages, whose results differ in every line. */
function transcript(id: string, count: number, word = 'row'): string {
  const messages: unknown[] = [{ role: 'user', content: 'find the rows' }];
  while (messages.length < count - 1) {
    const call = String(messages.length);
    const use = { type: 'tool_use', id: `c${call}`, name: 'Bash', input: { call } };
    const rows = Array.from(
      { length: 40 },
      (_, row) => `${word} ${String(row)} of ${call} in ${id}`,
    );
    const result = { type: 'tool_result', tool_use_id: use.id, content: rows.join('\n') };
    messages.push({ role: 'assistant', content: [use] }, { role: 'user', content: [result] });
  }
  messages.push({ role: 'assistant', content: [{ type: 'text', text: 'found them' }] });
  return JSON.stringify({ id, messages });
}

interface Piece {
  readonly segment: number;
}

interface View {
  readonly segments: readonly Piece[];
  readonly next?: number;
  readonly without?: readonly number[];
}

let server: RunningServer;
let key: string;

async function view(query: string): Promise<View> {
  const { status, json } = await server.call(`/v1/sessions/${query}`, { key });
  expect(status).toBe(200);
  return json as View;
}

beforeAll(async () => {
  server = await startServer({ replayThread: await bundledThread(), logLevel: 'error' });
  key = await server.key('write');
  for (const [id, count] of [
    ['short', 300],
    ['long', 3000],
  ] as const) {
    const body = { name: `${id}.json`, content: transcript(id, count) };
    expect((await server.call('/v1/import', { key, body })).status).toBe(200);
  }
}, 120_000);
afterAll(() => server.stop());

/** What a caller has who puts the changes into the view that it had. */
function merged(before: View, { without = [], ...changes }: View): View {
  const old = before.segments.filter(
    ({ segment }) =>
      !without.includes(segment) && changes.segments.every((one) => one.segment !== segment),
  );
  const segments = [...old, ...changes.segments].sort((one, other) => one.segment - other.segment);
  return { ...changes, segments };
}

it('a view whose limit is named comes in answers below 300 KB, whatever its texts, and all of it comes', async () => {
  const body = { name: 'wide.json', content: transcript('wide', 1200, '—'.repeat(80)) };
  expect((await server.call('/v1/import', { key, body })).status).toBe(200);
  const path = 'wide/view?mode=recorded&characters=240';
  const segments: Piece[] = [];
  let [next, pages]: [number | undefined, number] = [0, 0];
  while (next !== undefined) {
    const page: View = await view(`${path}&limit=1000&from=${String(next)}`);
    expect(Buffer.byteLength(JSON.stringify(page))).toBeLessThan(300_000);
    segments.push(...page.segments);
    [next, pages] = [page.next, pages + 1];
  }
  const whole = await view(path);
  expect([segments, whole.next]).toEqual([whole.segments, undefined]);
  expect(pages).toBeGreaterThan(2);
}, 60_000);

describe('a view since another request', () => {
  it.each(['recorded', 'thrifty'])(
    'turns the one into the other, in both directions, as %s',
    async (mode) => {
      const pairs: readonly (readonly [number, number])[] = [
        [1, 2],
        [2, 1],
        [90, 91],
        [91, 90],
        [150, 3],
        [3, 150],
        [7, 7],
      ];
      let left = 0;
      for (const [since, to] of pairs) {
        const path = `short/view?mode=${mode}&characters=240&at=`;
        const [before, after] = [await view(path + String(since)), await view(path + String(to))];
        const changes = await view(`${path}${String(to)}&since=${String(since)}`);
        expect(merged(before, changes)).toEqual(after);
        const kept = after.segments.filter(({ segment }) =>
          changes.segments.every((one) => one.segment !== segment),
        );
        left += kept.length;
        if (since === to) expect(changes).toMatchObject({ segments: [], without: [] });
      }
      expect(left).toBeGreaterThan(100);
    },
    120_000,
  );

  it('sends of a session of 3,000 messages only what ten steps change', async () => {
    const path = 'long/view?mode=recorded&characters=240&limit=1000&at=';
    let [whole, changes] = [0, 0];
    for (let number = 1001; number <= 1010; number += 1) {
      const asked = await view(`${path}${String(number)}&since=${String(number - 1)}`);
      expect(asked.segments).toHaveLength(2);
      changes += JSON.stringify(asked).length;
      whole += JSON.stringify(await view(path + String(number))).length;
    }
    expect(changes).toBeLessThan(20_000);
    expect(whole).toBeGreaterThan(500_000);
  }, 60_000);

  it('is refused for a request that there is not', async () => {
    const { status } = await server.call('/v1/sessions/short/view?at=2&since=9999', { key });
    expect(status).toBe(404);
  });
});
