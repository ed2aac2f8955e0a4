import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { CollectionDefinition, ColumnValue } from '../store-backend.ts';
import { checkOperation } from './check-operation.ts';
import { checkColumns, completeColumns } from './check-value.ts';

const definition: CollectionDefinition = {
  name: 'things',
  key: ['tenant', 'id'],
  columns: {
    name: { type: 'text' },
    size: { type: 'integer' },
    share: { type: 'real', nullable: true },
  },
  indexes: [],
  search: [],
};

function put(columns: Readonly<Record<string, ColumnValue>>): void {
  checkOperation(definition, {
    type: 'put',
    collection: 'things',
    key: ['t', 'one'],
    columns,
    body: '{}',
  });
}

test('refuses a put without a column that may not be null', () => {
  expect(() => {
    put({ name: 'a', size: 1 });
  }).not.toThrow();
  expect(() => {
    put({ name: 'a', share: 0.5 });
  }).toThrow('things.size must be integer');
  expect(() => {
    put({ size: 1 });
  }).toThrow('things.name must be text');
});

test('checks a put as if all its columns were written out', () => {
  const value = fc.constantFrom<ColumnValue>('a', '\ud800', 'a\0', 1, 0.5, Number.NaN, null);
  const columns = fc.dictionary(fc.constantFrom('name', 'size', 'share', 'other'), value, {
    noNullPrototype: true,
  });
  fc.assert(
    fc.property(columns, (given) => {
      const check = (): void => {
        put(given);
      };
      const checkWrittenOut = (): void => {
        checkColumns(definition, given);
        checkColumns(definition, completeColumns(definition, given));
      };
      expect(problemOf(check)).toBe(problemOf(checkWrittenOut));
    }),
  );
});

function problemOf(check: () => void): string {
  try {
    check();
    return 'none';
  } catch (error) {
    return String(error);
  }
}
