import fc from 'fast-check';
import { expect, test } from 'vitest';
import { diffManifests, type ManifestEntry } from './diff-manifests.ts';

const entry = (id: string, fingerprint: string, tier?: string): ManifestEntry =>
  tier === undefined ? { id, fingerprint } : { id, fingerprint, tier };

test('tells added, changed and removed records apart', () => {
  const before = [entry('a', '1'), entry('b', '1', 'HOT'), entry('c', '1'), entry('d', '1')];
  const after = [entry('e', '1'), entry('c', '2'), entry('b', '1', 'COLD'), entry('d', '1')];
  expect(diffManifests(before, after)).toEqual({
    added: [entry('e', '1')],
    changed: [
      { before: entry('c', '1'), after: entry('c', '2') },
      { before: entry('b', '1', 'HOT'), after: entry('b', '1', 'COLD') },
    ],
    removed: [entry('a', '1')],
    unchangedCount: 1,
  });
});

test('ids are data, never names of properties', () => {
  const diff = diffManifests([], [entry('__proto__', '1'), entry('constructor', '1')]);
  expect(diff.added).toHaveLength(2);
  expect(diff.removed).toEqual([]);
});

test('the last entry of an id counts', () => {
  expect(diffManifests([entry('a', '1'), entry('a', '2')], [entry('a', '2')]).unchangedCount).toBe(
    1,
  );
});

test('applying a diff to the old manifest gives the new one', () => {
  const manifest = fc
    .dictionary(fc.constantFrom('a', 'b', 'c', 'd', 'e'), fc.constantFrom('1', '2'))
    .map((record) => Object.entries(record).map(([id, fingerprint]) => ({ id, fingerprint })));
  fc.assert(
    fc.property(manifest, manifest, (before, after) => {
      const diff = diffManifests(before, after);
      const result = new Map<string, string>(before.map((one) => [one.id, one.fingerprint]));
      for (const one of diff.removed) result.delete(one.id);
      for (const one of [...diff.added, ...diff.changed.map((change) => change.after)]) {
        result.set(one.id, one.fingerprint);
      }
      expect(result).toEqual(new Map(after.map((one) => [one.id, one.fingerprint])));
      expect(diff.unchangedCount + diff.changed.length + diff.added.length).toBe(after.length);
    }),
  );
});
