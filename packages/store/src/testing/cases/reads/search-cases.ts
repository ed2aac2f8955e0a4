import assert from 'node:assert/strict';
import type { SearchQuery, StoreBackend } from '../../../backend/store-backend.ts';
import { deleteThing, patchThing, putThing } from '../../case-collections.ts';
import { numbered, rejectsWith, searchIds, searchThings, visible } from '../../case-support.ts';
import { type AddCase, type ConformanceCase, caseGroup } from '../../conformance-case.ts';

const texts = (words: Readonly<Record<string, string>>) =>
  Object.entries(words).map(([id, text]) => putThing(id, { words: { text } }));

/** Records that hold other words, so that the words of a case are rare. */
async function putFiller(backend: StoreBackend): Promise<void> {
  const filler = numbered(20, 'f').map((id, at) => [id, `some other words ${at} here`] as const);
  await backend.write(texts(Object.fromEntries(filler)));
}

/** Words that mean something to a query language. A record holds `plain`, `near`, `or` and the letters. */
const hostileWords = [
  ['"', '""', '"plain', 'plain"', "'", '`', ';', '--', '/*', '\\', '%', '_', '?', '.'],
  ['*', 'plain*', 'pl*', '^plain', '+plain', '-plain', 'plain~2', '(plain)', '[plain]', '{plain}'],
  ['NEAR', 'NEAR(a b)', 'OR', 'AND', 'NOT', 'text:plain', 'a:b', 'plain other'],
  ['', ' ', '\n', 'plain ', '\u0000', 'pla\u0000in', '\ud800', '\u202eplain', '\u200b', '$where'],
  [
    "x' OR '1'='1",
    '"; drop table things; --',
    '__proto__.x',
    '{"$gt":""}',
    '../plain',
    '\u{1f600}',
  ],
].flat();

const badSearches: Readonly<Record<string, unknown>> = {
  'an unknown collection': { collection: 'nothing' },
  'no tenant': { equal: [] },
  'too many key parts': { equal: ['t', 'b', 'a', 'c'] },
  'an operator for the tenant': { equal: [{ $gt: '' }] },
  'a negative limit': { limit: -1 },
  'a limit that is a fraction': { limit: 0.5 },
  'a limit that is SQL': { limit: '1; drop table things' },
  'an operator for a word': { words: [{ $gt: '' }] },
  'a number for every': { every: 1 },
};

function addMatchCases(add: AddCase): void {
  add('finds what holds any of the words', async ({ open }) => {
    const backend = await open();
    await backend.write(texts({ a: 'red blue', b: 'green', c: 'blue', d: 'black' }));
    const found = await searchIds(backend, ['red', 'green', 'white']);
    assert.deepEqual(found.toSorted(), ['a', 'b']);
  });
  add('finds only what holds each word where every one must match', async ({ open }) => {
    const backend = await open();
    await backend.write(texts({ a: 'red blue', b: 'red red red', c: 'blue', d: 'blue green red' }));
    await backend.write([putThing('e', { words: { title: 'red', text: 'blue' } })]);
    const both = await searchIds(backend, ['red', 'blue', 'red'], { every: true });
    assert.deepEqual(both.toSorted(), ['a', 'd', 'e']);
    const one = await searchIds(backend, ['red', 'blue'], { every: true, limit: 1 });
    assert.deepEqual(one, both.slice(0, 1));
    for (const missing of ['white', 'Red', 'b*']) {
      assert.deepEqual(await searchIds(backend, ['red', missing], { every: true }), []);
    }
    assert.deepEqual(await searchIds(backend, [], { every: true }), []);
  });
  add('finds words of every field', async ({ open }) => {
    const backend = await open();
    await backend.write([putThing('a', { words: { title: 'red' } })]);
    await backend.write([putThing('b', { words: { text: 'red' } })]);
    assert.deepEqual((await searchIds(backend, ['red'])).toSorted(), ['a', 'b']);
  });
  add('finds nothing for no words, or for words that nothing holds', async ({ open }) => {
    const backend = await open();
    await backend.write([...texts({ a: 'red' }), putThing('b')]);
    assert.deepEqual(await searchIds(backend, []), []);
    assert.deepEqual(await searchIds(backend, ['white']), []);
  });
  add('finds nothing in an empty store', async ({ open }) => {
    assert.deepEqual(await searchIds(await open(), ['red']), []);
  });
  add('matches whole words only', async ({ open }) => {
    const backend = await open();
    await backend.write(texts({ a: 'redder', b: 'infrared', c: 're', d: 'reds' }));
    assert.deepEqual(await searchIds(backend, ['red']), []);
  });
  add('compares words exactly: no folding, no stemming', async ({ open }) => {
    const backend = await open();
    const words = { a: 'résumé', b: 'resume', c: 'running', d: 'run', e: 'straße', f: 'strasse' };
    await backend.write(texts(words));
    for (const [id, word] of Object.entries(words)) {
      assert.deepEqual(await searchIds(backend, [word]), [id], word);
    }
  });
  add('finds nothing for a word in capitals', async ({ open }) => {
    const backend = await open();
    await backend.write(texts({ a: 'plain' }));
    for (const word of ['PLAIN', 'Plain', 'plaiN']) {
      assert.deepEqual(await searchIds(backend, [word]), [], word);
    }
  });
  add('finds words of every script', async ({ open }) => {
    const backend = await open();
    const words = {
      a: 'данные',
      b: '数据',
      c: 'בדיקה',
      d: 'δεδομένα',
      e: '42',
      f: 'データ',
      g: 'x1',
    };
    await backend.write(texts(words));
    for (const [id, word] of Object.entries(words)) {
      assert.deepEqual(await searchIds(backend, [word]), [id], word);
    }
  });
  add('finds words that a query language would read as its own', async ({ open }) => {
    const backend = await open();
    const words = ['or', 'and', 'not', 'near', 'null', 'select', 'constructor', 'rank', 'title'];
    await backend.write(words.map((word) => putThing(word, { words: { text: word } })));
    for (const word of words) assert.deepEqual(await searchIds(backend, [word]), [word]);
  });
  for (const word of hostileWords) {
    add(`finds nothing for the word ${visible(word)}`, async ({ open }) => {
      const backend = await open();
      await backend.write(
        texts({ a: 'plain other near or and not a b text', b: 'where proto x 1' }),
      );
      assert.deepEqual(await searchIds(backend, [word]), []);
      assert.deepEqual(await searchIds(backend, [word, 'plain']), ['a']);
    });
  }
}

function addScopeCases(add: AddCase): void {
  add('stays with the tenant', async ({ open }) => {
    const backend = await open();
    const words = { text: 'red' };
    await backend.write(['t', 'u', 'tt'].map((tenant) => putThing('a', { tenant, words })));
    const hits = await searchThings(backend, ['red']);
    assert.deepEqual(
      hits.map((hit) => hit.key),
      [['t', 'b', 'a']],
    );
  });
  add('stays with the second part of the key where it is given', async ({ open }) => {
    const backend = await open();
    const words = { text: 'red' };
    await backend.write(['b', 'c', 'bb', 'B'].map((box) => putThing(box, { box, words })));
    assert.deepEqual(await searchIds(backend, ['red'], { equal: ['t', 'b'] }), ['b']);
    assert.deepEqual(await searchIds(backend, ['red'], { equal: ['t', 'none'] }), []);
  });
  add('fills the limit from the scope asked for', async ({ open }) => {
    const backend = await open();
    const loud = numbered(30, 'z').map((id) => putThing(id, { box: 'c', words: { title: 'red' } }));
    await backend.write([...loud, ...texts({ a: 'red and more', b: 'red and less' })]);
    const found = await searchIds(backend, ['red'], { equal: ['t', 'b'], limit: 2 });
    assert.deepEqual(found.toSorted(), ['a', 'b']);
  });
  add('gives at most as many as the limit says, the best ones', async ({ open }) => {
    const backend = await open();
    await putFiller(backend);
    await backend.write(texts({ a: 'red', b: 'red red red', c: 'red blue', d: 'blue' }));
    const all = await searchIds(backend, ['red', 'blue']);
    assert.equal(all.length, 4);
    for (const limit of [0, 1, 2, 3, 4, 5]) {
      assert.deepEqual(await searchIds(backend, ['red', 'blue'], { limit }), all.slice(0, limit));
    }
  });
}

function addRankCases(add: AddCase): void {
  const ranks: readonly {
    readonly name: string;
    readonly texts: Readonly<Record<string, string>>;
    readonly words: readonly string[];
    readonly expected: readonly string[];
  }[] = [
    {
      name: 'ranks two matching words over one',
      texts: { a: 'red one two', b: 'red blue two', c: 'blue one two' },
      words: ['red', 'blue'],
      expected: ['b', 'a', 'c'],
    },
    {
      name: 'ranks the rarer word higher',
      texts: { a: 'red x', b: 'red y', c: 'red z', d: 'blue x' },
      words: ['red', 'blue'],
      expected: ['d', 'a', 'b', 'c'],
    },
    {
      name: 'ranks more occurrences higher',
      texts: { a: 'red one two three', b: 'red red red three', c: 'red red two three' },
      words: ['red'],
      expected: ['b', 'c', 'a'],
    },
    {
      name: 'ranks the shorter record higher',
      texts: { a: 'red and a lot of other words that make it long', b: 'red and little' },
      words: ['red'],
      expected: ['b', 'a'],
    },
  ];
  for (const { name, texts: words, words: query, expected } of ranks) {
    add(name, async ({ open }) => {
      const backend = await open();
      await putFiller(backend);
      await backend.write(texts(words));
      assert.deepEqual(await searchIds(backend, query), expected);
    });
  }
  add('gives ties in one order, whatever the limit', async ({ open }) => {
    const backend = await open();
    await putFiller(backend);
    const ids = ['d', 'a', '\u{1f600}', '\uffee', 'B', ...numbered(500)];
    await backend.write(texts(Object.fromEntries(ids.map((id, at) => [id, `red x${at}`]))));
    const all = await searchIds(backend, ['red'], { limit: 1000 });
    assert.deepEqual(all.toSorted(), ids.toSorted());
    for (const limit of [1, 3, 100, 450]) {
      assert.deepEqual(await searchIds(backend, ['red'], { limit }), all.slice(0, limit));
      const inBox = { limit, equal: ['t', 'b'] };
      assert.deepEqual(await searchIds(backend, ['red'], inBox), all.slice(0, limit));
    }
  });
  add('ranks the field of more weight higher', async ({ open }) => {
    const backend = await open();
    await putFiller(backend);
    await backend.write([putThing('a', { words: { title: 'other', text: 'red' } })]);
    await backend.write([putThing('b', { words: { title: 'red', text: 'other' } })]);
    assert.deepEqual(await searchIds(backend, ['red']), ['b', 'a']);
  });
  add('counts a repeated word once', async ({ open }) => {
    const backend = await open();
    await putFiller(backend);
    await backend.write(texts({ a: 'red blue', b: 'blue green', c: 'red' }));
    const once = await searchIds(backend, ['red', 'blue']);
    const hits = await searchIds(backend, ['red', 'blue', 'blue', 'blue', 'red']);
    assert.deepEqual(hits, once);
  });
  add('gives finite scores that never rise along the list', async ({ open }) => {
    const backend = await open();
    await putFiller(backend);
    await backend.write(texts({ a: 'red', b: 'red red blue', c: 'blue some', d: 'some here' }));
    const scores = (await searchThings(backend, ['red', 'blue', 'some'])).map((hit) => hit.score);
    assert.ok(scores.length >= 20);
    assert.ok(scores.every((score) => Number.isFinite(score)));
    assert.deepEqual(
      scores,
      scores.toSorted((left, right) => right - left),
    );
  });
  add('gives a score also where every record holds the word', async ({ open }) => {
    const backend = await open();
    await backend.write(texts({ a: 'red', b: 'red' }));
    assert.deepEqual((await searchIds(backend, ['red'])).toSorted(), ['a', 'b']);
  });
}

function addChangeCases(add: AddCase): void {
  add('forgets the words of a record that was put anew', async ({ open }) => {
    const backend = await open();
    await backend.write(texts({ a: 'red' }));
    await backend.write(texts({ a: 'blue' }));
    assert.deepEqual(await searchIds(backend, ['red']), []);
    assert.deepEqual(await searchIds(backend, ['blue']), ['a']);
  });
  add('forgets all words where a put gives none', async ({ open }) => {
    const backend = await open();
    await backend.write([putThing('a', { words: { title: 'red', text: 'blue' } })]);
    await backend.write([putThing('a')]);
    assert.deepEqual(await searchIds(backend, ['red', 'blue']), []);
  });
  add('forgets the words of a field that a put leaves out', async ({ open }) => {
    const backend = await open();
    await backend.write([putThing('a', { words: { title: 'red', text: 'blue' } })]);
    await backend.write([putThing('a', { words: { title: 'red' } })]);
    assert.deepEqual(await searchIds(backend, ['blue']), []);
    assert.deepEqual(await searchIds(backend, ['red']), ['a']);
  });
  add('forgets the words of a deleted record', async ({ open }) => {
    const backend = await open();
    await backend.write(texts({ a: 'red', b: 'red' }));
    await backend.write([deleteThing('a')]);
    assert.deepEqual(await searchIds(backend, ['red']), ['b']);
    await backend.write([putThing('a')]);
    assert.deepEqual(await searchIds(backend, ['red']), ['b']);
  });
  add('keeps the words of a patched record', async ({ open }) => {
    const backend = await open();
    await backend.write(texts({ a: 'red' }));
    await backend.write([patchThing('a', { size: 5 })]);
    assert.deepEqual(await searchIds(backend, ['red']), ['a']);
    await backend.write(texts({ a: 'blue' }));
    assert.deepEqual(await searchIds(backend, ['red']), []);
  });
  add('does not find the words of a write that failed', async ({ open }) => {
    const backend = await open();
    await backend.write(texts({ a: 'red' }));
    const batch = [...texts({ a: 'blue', b: 'blue' }), patchThing('gone', {})];
    await rejectsWith('CTX_STORE_CONFLICT', () => backend.write(batch));
    assert.deepEqual(await searchIds(backend, ['blue']), []);
    assert.deepEqual(await searchIds(backend, ['red']), ['a']);
  });
  add('takes the last words where one write puts a record twice', async ({ open }) => {
    const backend = await open();
    await backend.write([...texts({ a: 'red' }), ...texts({ a: 'blue' })]);
    assert.deepEqual(await searchIds(backend, ['red']), []);
    assert.deepEqual(await searchIds(backend, ['blue']), ['a']);
  });
  add('finds one record among 2,000, of 100,000 words', async ({ open }) => {
    const backend = await open();
    const words = Object.fromEntries(
      numbered(2000).map((id, at) => [id, `${'common text '.repeat(25)}only${at}`]),
    );
    await backend.write(texts(words));
    assert.deepEqual(await searchIds(backend, ['only1234']), ['a1234']);
    assert.equal((await searchIds(backend, ['common'], { limit: 10 })).length, 10);
  });
}

const searching: readonly ConformanceCase[] = caseGroup(
  'search',
  (add) => {
    addMatchCases(add);
    addScopeCases(add);
    addRankCases(add);
    addChangeCases(add);
    for (const [what, query] of Object.entries(badSearches)) {
      add(`refuses ${what}`, async ({ open }) => {
        const backend = await open();
        await backend.write(texts({ a: 'red' }));
        const whole = { collection: 'things', equal: ['t'], words: ['red'], limit: 10 };
        const call = () => backend.search({ ...whole, ...(query as Partial<SearchQuery>) });
        await rejectsWith('CTX_INVALID_INPUT', call);
      });
    }
    add('finds nothing in a collection that is not searched', async ({ open }) => {
      const backend = await open();
      const query = { collection: 'notes', equal: ['t'], words: ['red'], limit: 10 };
      assert.deepEqual(await backend.search(query), []);
    });
  },
  { needs: ['search'] },
);

const notSearching: readonly ConformanceCase[] = caseGroup(
  'search',
  (add) => {
    add('says that it is not offered', async ({ open }) => {
      const backend = await open();
      await rejectsWith('CTX_STORE_UNSUPPORTED', () => searchThings(backend, ['red']));
    });
    add('keeps records with words though it cannot search', async ({ open }) => {
      const backend = await open();
      await backend.write(texts({ a: 'red' }));
      assert.equal((await backend.get('things', [['t', 'b', 'a']]))[0]?.version, 1);
    });
  },
  { unless: 'search' },
);

export const searchCases: readonly ConformanceCase[] = [...searching, ...notSearching];
