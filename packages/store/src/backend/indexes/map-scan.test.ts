import { expect, it } from 'vitest';
import { collectMapped, collectScan, mapScan } from './map-scan.ts';

interface Source {
  readonly opened: number[];
  readonly ended: number[];
  readonly open: () => AsyncIterable<number>;
}

function sourceOf(count: number, failsAt = Number.POSITIVE_INFINITY): Source {
  const opened: number[] = [];
  const ended: number[] = [];
  async function* numbers(): AsyncGenerator<number> {
    opened.push(1);
    try {
      for (let number = 0; number < count; number += 1) {
        if (number === failsAt) throw new Error('broken');
        yield number;
      }
    } finally {
      ended.push(1);
    }
  }
  return { opened, ended, open: numbers };
}

async function all<T>(scan: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const value of scan) found.push(value);
  return found;
}

it('maps every step, and begins at the first one', async () => {
  const source = sourceOf(3);
  const scan = mapScan(source.open, { map: (number) => number * 2 });
  expect(source.opened).toEqual([]);
  expect(await all(scan)).toEqual([0, 2, 4]);
  expect(source.ended).toEqual([1]);
});

it('ends the source where it is broken off', async () => {
  const source = sourceOf(10);
  for await (const number of mapScan(source.open, { map: (value) => value })) {
    if (number === 1) break;
  }
  expect(source.ended).toEqual([1]);
});

it('ends the source where a record cannot be mapped', async () => {
  const source = sourceOf(3);
  const scan = mapScan(source.open, {
    map: (number) => {
      if (number === 1) throw new Error('unreadable');
      return number;
    },
  });
  await expect(all(scan)).rejects.toThrow('unreadable');
  expect(source.ended).toEqual([1]);
});

it('opens nothing where it is ended before its first step', async () => {
  const source = sourceOf(1);
  const iterator = mapScan(source.open, { map: String })[Symbol.asyncIterator]();
  await iterator.return?.();
  expect(await iterator.next()).toEqual({ done: true, value: undefined });
  expect(source.opened).toEqual([]);
});

it('rejects with the error made of that of the source, also of its opening', async () => {
  const fail = (error: unknown): Error => new Error('wrapped', { cause: error });
  const broken = mapScan(sourceOf(3, 1).open, { map: String, fail });
  await expect(all(broken)).rejects.toThrow('wrapped');
  const refused = mapScan(
    () => {
      throw new Error('closed');
    },
    { map: String },
  );
  await expect(all(refused)).rejects.toThrow('closed');
});

it('gives all at once, from a source that can and from one that cannot', async () => {
  const double = { map: (number: number) => number * 2 };
  const source = sourceOf(3);
  expect(await collectScan(mapScan(source.open, double))).toEqual([0, 2, 4]);
  expect(source.ended).toEqual([1]);
  const whole = {
    ...sourceOf(9).open(),
    all: async <U>(map: (one: number) => U) => [4, 5].map(map),
  };
  expect(await collectScan(mapScan(() => whole, double))).toEqual([8, 10]);
});

it('names what fails where all is asked for at once', async () => {
  const fail = () => new Error('named');
  const scan = mapScan(sourceOf(3, 1).open, { map: (number) => number, fail });
  await expect(collectScan(scan)).rejects.toThrow('named');
});

it('throws what a map throws as it is, where all is asked for at once', async () => {
  const fail = () => new Error('named');
  const unreadable = (): never => {
    throw new Error('unreadable');
  };
  const inner = mapScan(sourceOf(3).open, { map: (number) => number, fail });
  await expect(collectScan(mapScan(() => inner, { map: unreadable, fail }))).rejects.toThrow(
    'unreadable',
  );
  await expect(collectMapped(inner, unreadable)).rejects.toThrow('unreadable');
});
