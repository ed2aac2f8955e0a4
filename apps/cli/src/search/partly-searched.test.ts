import { join } from 'node:path';
import { readBackTools } from '@ctx/agent-adapter';
import { openStore } from '@ctx/store';
import { expect, test } from 'vitest';
import { backendOf } from '../store/open-store-url.ts';
import { runOn } from '../test-support/fake-host.ts';
import { makeFolder } from '../test-support/sample-transcripts.ts';

const filler = 'common words of a log line\n';

test.each(['sqlite', 'fs'] as const)(
  'a search of a %s store finds words at the end of long items and arguments, and says which outputs it knows in part',
  async (scheme) => {
    const cwd = makeFolder();
    const path = join(cwd, scheme === 'fs' ? 'data' : 'ctx.db');
    const url = `${scheme}:${path}`;
    const policy = { searchedCharacters: 50_000 };
    const store = await openStore(await backendOf({ scheme, path, text: url }), {
      outputs: policy,
    });
    const { item } = await store.items.save({
      ...{ agentId: 'a', kind: 'NOTE' },
      content: `${filler.repeat(1_000)} zebrafinch`,
    });
    const call = { sessionId: 's', toolName: 'Write', result: 'done' };
    await store.outputs.save({ ...call, args: { text: `${filler.repeat(1_000)} ocelot` } });
    const found = await store.items.search('a', { text: 'zebrafinch' });
    expect(found.hits.map((hit) => hit.item.id)).toEqual([item.id]);
    const ocelots = await store.outputs.search({ text: 'ocelot' });
    expect([ocelots.hits.length, ocelots.partlySearched]).toEqual([1, 0]);
    await store.outputs.save({ ...call, args: {}, result: `${filler.repeat(3_000)} walrus` });
    const walrus = await store.outputs.search({ text: 'walrus', sessionId: 's' });
    expect([walrus.hits, walrus.partlySearched]).toEqual([[], 1]);
    expect((await store.outputs.search({ text: 'walrus', sessionId: 'x' })).partlySearched).toBe(0);
    const [, search] = readBackTools(store);
    expect(await search.execute({ query: 'walrus' })).toBe(
      'No stored output holds these words.\n1 stored output is too long to be searched to the end: read there with a pattern.',
    );
    await store.close();
    const told = await runOn({ cwd, isTty: false }, 'search', 'walrus', '--store', url);
    expect(told.stderr).toContain('Of 1 output the words at the end are not found');
    const json = await runOn({ cwd, isTty: false }, 'search', 'walrus', '--store', url, '--json');
    expect(JSON.parse(json.stdout)).toMatchObject({ hits: [], partlySearched: 1 });
  },
);
