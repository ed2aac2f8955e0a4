import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { CollectionDefinition, IndexDefinition, StoredRecord } from '../store-backend.ts';
import { createLateIndex, type LateIndex } from './lazy-index.ts';

const index: IndexDefinition = { name: 'by_rank', fields: ['tenant', 'rank'] };

const definition: CollectionDefinition = {
  name: 'things',
  key: ['tenant', 'id'],
  columns: { rank: { type: 'integer' } },
  indexes: [index],
  search: [],
};

interface Things {
  readonly index: LateIndex<StoredRecord>;
  put(id: number, rank: number): void;
  remove(id: number): void;
  ids(): number[];
  /** Looks at columns so far. */
  reads: number;
}

/** Records with an index, whose looks at columns are counted. */
function createThings(): Things {
  const records = new Map<string, StoredRecord>();
  const late = createLateIndex<StoredRecord>({ definition, index, records });
  const things: Things = {
    index: late,
    reads: 0,
    put: (id, rank) => {
      const old = records.get(String(id));
      const record: StoredRecord = {
        key: ['t', String(id)],
        version: 1,
        body: '{}',
        get columns() {
          things.reads += 1;
          return { rank };
        },
      };
      records.set(String(id), record);
      late.note(String(id), old);
    },
    remove: (id) => {
      const old = records.get(String(id));
      records.delete(String(id));
      late.note(String(id), old);
    },
    ids: () =>
      late.snapshot().flatMap(({ entries }) => entries.map(({ record }) => Number(record.key[1]))),
  };
  return things;
}

describe('an index that is read later', () => {
  it('costs a write nothing but a note, and a second read nothing', () => {
    const things = createThings();
    for (let id = 0; id < 500; id += 1) things.put(id, id % 7);
    expect(things.reads).toBe(0);
    expect(things.ids()).toHaveLength(500);
    const { reads } = things;
    expect(reads).toBeGreaterThan(0);
    things.ids();
    expect(things.reads).toBe(reads);
  });

  it('leaves no more than 512 records to a read, however many were written', () => {
    const things = createThings();
    for (let id = 0; id < 5000; id += 1) things.put(id, id % 7);
    const before = things.reads;
    expect(before).toBeGreaterThan(0);
    things.ids();
    expect(things.reads - before).toBeLessThanOrEqual(512);
  });

  it('takes a record in once, however often it was written', () => {
    const things = createThings();
    for (let time = 0; time < 5000; time += 1) things.put(1, time);
    expect(things.reads).toBe(0);
    expect(things.ids()).toEqual([1]);
    expect(things.reads).toBe(1);
  });

  it('holds what the records say, whenever it is read', () => {
    const step = fc.record({
      id: fc.integer({ min: 0, max: 30 }),
      rank: fc.option(fc.integer({ min: 0, max: 5 }), { nil: undefined }),
      isRead: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
        const things = createThings();
        const model = new Map<number, number>();
        for (const { id, rank, isRead } of steps) {
          if (rank === undefined) {
            if (model.delete(id)) things.remove(id);
          } else {
            model.set(id, rank);
            things.put(id, rank);
          }
          if (!isRead) continue;
          const inOrder = [...model].sort(
            ([a, one], [b, other]) => one - other || (String(a) < String(b) ? -1 : 1),
          );
          expect(things.ids()).toEqual(inOrder.map(([each]) => each));
        }
      }),
    );
  });
});
