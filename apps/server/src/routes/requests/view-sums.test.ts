import { expect, it, onTestFinished } from 'vitest';
import { at, startServer } from '../../test-support/start-server.ts';
import type { ShownSegment } from '../../windows/request-moment.ts';
import { toolsOf } from './view-sums.ts';

const segment = (part: Partial<ShownSegment>): ShownSegment => ({
  ...{ segment: 0, message: 0, kind: 'result', form: 'whole', why: 'as it came' },
  ...{ givenTokens: 0, tokens: 0, pointer: 'ctx://messages/0' },
  ...part,
});

it('a tool is charged for its calls and results, in view and gone, and the largest stands first', () => {
  const segments = [
    segment({ kind: 'user', givenTokens: 100, tokens: 100 }),
    segment({ toolName: 'Grep', kind: 'call', givenTokens: 5, tokens: 5 }),
    segment({ toolName: 'Read', kind: 'call', givenTokens: 10, tokens: 10 }),
    segment({ toolName: 'Read', givenTokens: 900, tokens: 40 }),
    segment({ toolName: 'Read', givenTokens: 7, tokens: 9 }),
  ];
  expect(toolsOf(segments)).toEqual([
    { name: 'Read', calls: 1, tokensAfter: 59, removed: 860 },
    { name: 'Grep', calls: 1, tokensAfter: 5, removed: 0 },
  ]);
});

it('a view of the largest pieces has those that take the most first, and the sums of all', async () => {
  const server = await startServer();
  onTestFinished(() => server.stop());
  const key = await server.key('write');
  const messages: unknown[] = [{ role: 'user', content: 'read them' }];
  for (const lines of [10, 300, 20, 200]) {
    const id = `c${String(lines)}`;
    const use = { type: 'tool_use', id, name: 'Read', input: { file_path: `/w/${id}.ts` } };
    messages.push({ role: 'assistant', content: [use] });
    const content = Array.from({ length: lines }, (_, line) => `${id} ${String(line)}`).join('\n');
    messages.push({ role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content }] });
  }
  const body = { name: 'a.json', content: JSON.stringify({ id: 'a', messages }) };
  await server.call('/v1/import', { key, body });
  const ask = async (query: string): Promise<unknown> =>
    (await server.call(`/v1/sessions/a/view?mode=recorded&characters=20${query}`, { key })).json;
  const all = at(await ask(''), 'segments') as { tokensAfter: number; toolName?: string }[];
  const answer = await ask('&largest=2');
  const shown = (at(answer, 'segments') as { shown: string }[]).map((one) => one.shown.slice(0, 4));
  expect(shown).toEqual(['c300', 'c200']);
  const tokens = all.reduce((sum, one) => sum + (one.toolName ? one.tokensAfter : 0), 0);
  expect(at(answer, 'tools')).toEqual([
    { name: 'Read', calls: 4, tokensAfter: expect.closeTo(tokens, 6) as number, removed: 0 },
  ]);
});
