import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { elementsOf, isPlainJson, joinParts, type ListPart, planParts } from './value-parts.ts';

const elements = fc.array(fc.string({ maxLength: 300 }).map((text) => JSON.stringify(text)));

/** Keeps what plans say is new, and reads lists back. */
function partStore() {
  const texts = new Map<string, string>();
  let written = 0;
  return {
    take: (plan: ReturnType<typeof planParts>): readonly ListPart[] => {
      for (const { fingerprint, text } of plan.fresh) {
        texts.set(fingerprint, text);
        written += text.length;
      }
      return plan.parts;
    },
    read: (parts: readonly ListPart[]): string =>
      joinParts(parts.map(({ fingerprint }) => texts.get(fingerprint) ?? 'missing')),
    written: () => written,
  };
}

describe('a list in parts', () => {
  it('comes back as it was, whatever it goes on from', () => {
    fc.assert(
      fc.property(fc.array(elements, { minLength: 1, maxLength: 12 }), (lists) => {
        const store = partStore();
        let base: readonly ListPart[] = [];
        for (const list of lists) {
          const parts = store.take(planParts(base, list));
          expect(store.read(parts)).toBe(`[${list.join(',')}]`);
          base = parts;
        }
      }),
    );
  });

  it('is stored again only where it changed', () => {
    const list = Array.from({ length: 40 }, (_, index) => JSON.stringify(`element ${index}`));
    const { parts } = planParts([], list);
    expect(planParts(parts, list)).toEqual({ parts, fresh: [] });
    expect(planParts(parts, [...list, '"more"']).fresh).toMatchObject([{ text: '["more"]' }]);
    const cut = planParts(parts, list.slice(0, 10));
    expect(cut.parts).toHaveLength(1);
  });

  it('grows by what is new: 800 steps write little more than three times the list, in few parts', () => {
    const store = partStore();
    let parts: readonly ListPart[] = [];
    const list: string[] = [];
    for (let step = 0; step < 800; step += 1) {
      list.push(JSON.stringify(`${String(step)} ${'word '.repeat(20 + (step % 60))}`));
      parts = store.take(planParts(parts, list));
    }
    const whole = list.join(',').length;
    expect(store.read(parts)).toHaveLength(whole + 2);
    expect(store.written()).toBeLessThan(3.5 * whole);
    expect(parts.length).toBeLessThan(whole / (64 * 1024) + 3 * 8);
  });

  it('has the elements that reading its JSON gives', () => {
    const lists = fc.array(fc.jsonValue({ maxDepth: 4 }));
    fc.assert(
      fc.property(lists, (list) => {
        const plain = list.map((each) => JSON.stringify(each));
        expect(elementsOf(JSON.stringify(list))).toEqual(plain);
      }),
    );
    const odd = ['a"],["', '\\', '\\\\"', '{', ',', { ']': '[' }];
    expect(elementsOf(JSON.stringify(odd))).toEqual(odd.map((each) => JSON.stringify(each)));
    expect(elementsOf('[]')).toEqual([]);
    expect(elementsOf('{"a":1}')).toBeUndefined();
  });

  it('gives no plain JSON for what was none', () => {
    for (const text of ['[1],[2]', '["a]', '[1, 2]', '[a]', '[1}', '[']) {
      const elements = elementsOf(text);
      const { fresh } = planParts([], elements ?? []);
      expect(elements === undefined || !fresh.every((part) => isPlainJson(part.text))).toBe(true);
    }
  });
});
