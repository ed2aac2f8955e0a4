import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type PrunableCheckpoint, planPrune } from './plan-prune.ts';

const history = fc
  .array(
    fc.record({
      hasValue: fc.boolean(),
      isDelta: fc.boolean(),
      needsParent: fc.boolean(),
      back: fc.integer({ min: 1, max: 3 }),
    }),
    { maxLength: 20 },
  )
  .map((steps) =>
    steps
      .map(
        ({ hasValue, isDelta, needsParent, back }, index): PrunableCheckpoint => ({
          id: String(index),
          ...(index < back ? {} : { parentId: String(index - back) }),
          createdAt: index * 1000,
          values: hasValue ? [{ channel: 'messages', version: index, whole: 'x' }] : [],
          deltas: isDelta ? ['messages'] : [],
          needsParent,
        }),
      )
      .toReversed(),
  );

describe('planning what leaves a thread', () => {
  it('keeps the newest and what is needed to read what stays, and has then nothing to do', () => {
    const settings = fc.record({
      keepNewest: fc.integer({ min: 0, max: 5 }),
      olderThanMs: fc.integer({ min: 0, max: 20_000 }),
    });
    fc.assert(
      fc.property(history, settings, (checkpoints, options) => {
        const { leaving, staying } = planPrune(checkpoints, 20_000, options);
        expect([...leaving, ...staying].toSorted()).toEqual(
          checkpoints.map(({ id }) => id).toSorted(),
        );
        if (checkpoints.length > 0) expect(staying).toContain(checkpoints[0]?.id);
        const kept = checkpoints.filter(({ id }) => staying.includes(id));
        const wanted = kept.slice(0, Math.max(1, options.keepNewest));
        for (const { needsParent, parentId } of wanted) {
          const isThere = checkpoints.some(({ id }) => id === parentId);
          if (needsParent && parentId !== undefined && isThere) expect(staying).toContain(parentId);
        }
        expect(planPrune(kept, 20_000, { ...options, keepNewest: kept.length }).leaving).toEqual(
          [],
        );
      }),
    );
  });

  it('walks back to the value that writes are applied to, and no further', () => {
    const at = (id: number, hasValue: boolean): PrunableCheckpoint => ({
      id: String(id),
      ...(id === 0 ? {} : { parentId: String(id - 1) }),
      createdAt: 0,
      values: hasValue ? [{ channel: 'messages', version: id, whole: 'x' }] : [],
      ...{ deltas: ['messages'], needsParent: false },
    });
    const checkpoints = [
      at(5, false),
      at(4, false),
      at(3, false),
      at(2, true),
      at(1, false),
      at(0, true),
    ];
    expect(planPrune(checkpoints, 1).staying).toEqual(['5', '4', '3', '2']);
  });
});
