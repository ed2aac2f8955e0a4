import { type Message, repairMessages, validateMessages } from '@ctx/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { wholeFile } from '../calls/files/line-range.ts';
import { normalPath } from '../calls/files/normal-path.ts';
import { anyHistory } from '../test-support/histories.ts';
import { frozen } from '../test-support/messages.ts';
import { applyBlockEdits } from './edits/block-edit.ts';
import { applyEdits, emptyEditHistory, recordEdits, rollBackEdits } from './edits/edit-history.ts';
import { defaultDuplicateReadPolicy, planDuplicateReads } from './files/duplicate-reads.ts';
import { type FileCopy, findFileCopies } from './files/file-copies.ts';
import { truncationNotice } from './notices.ts';
import { applyRange } from './range/apply-range.ts';
import { type DeletedRange, deletedRange, sizeOfRange } from './range/deleted-range.ts';
import { planRange } from './range/plan-range.ts';
import { classicStrategies } from './strategies.ts';

/** What `npm test` looks at of what the campaigns do. */
const share = process.env['CTX_TEST_CAMPAIGN'] === '1' ? 1 : 0.1;

const anyStrategies = fc.array(fc.constantFrom(...classicStrategies), {
  minLength: 1,
  maxLength: 4,
});
const notice = truncationNotice;

/** Cuts again and again; gives every range on the way. */
function rangesOf(
  messages: readonly Message[],
  strategies: readonly (typeof classicStrategies)[number][],
): (DeletedRange | undefined)[] {
  let range: DeletedRange | undefined;
  return strategies.map((strategy) => {
    range = planRange(messages, strategy, range) ?? range;
    return range;
  });
}

describe('any history', () => {
  it('is a valid request after any cuts, and is not changed itself', () => {
    let cuts = 0;
    fc.assert(
      fc.property(anyHistory, anyStrategies, (history, strategies) => {
        const messages = frozen(history);
        for (const range of rangesOf(messages, strategies)) {
          const view = applyRange(messages, range, { notice }).messages;
          if (range !== undefined) cuts += 1;
          expect(validateMessages(view)).toEqual([]);
        }
      }),
      { numRuns: 10_000 * share },
    );
    expect(cuts).toBeGreaterThan(10_000 * share);
  });

  it('is a valid request whatever range is taken out', () => {
    fc.assert(
      fc.property(anyHistory, fc.nat(30), fc.nat(30), (history, start, more) => {
        const messages = frozen(history);
        const view = applyRange(messages, deletedRange(start, start + more), { notice }).messages;
        expect(validateMessages(view)).toEqual([]);
      }),
      { numRuns: 3000 * share },
    );
  });

  it('that is valid is cut between units: nothing needs repair, and what stays is untouched', () => {
    fc.assert(
      fc.property(anyHistory, anyStrategies, (history, strategies) => {
        const messages = repairMessages(history).messages;
        for (const range of rangesOf(messages, strategies)) {
          const applied = applyRange(messages, range, { sharesMessages: true });
          expect(applied.repairs).toEqual([]);
          expect(applied.removedCount).toBe(sizeOfRange(range));
          expect(applied.messages.every((message) => messages.includes(message))).toBe(true);
        }
      }),
      { numRuns: 3000 * share },
    );
  });

  it('loses more with each cut, from the same place on', () => {
    fc.assert(
      fc.property(anyHistory, anyStrategies, (history, strategies) => {
        const ranges = rangesOf(history, strategies).filter((range) => range !== undefined);
        ranges.forEach((range, index) => {
          const next = ranges[index + 1] ?? range;
          expect(next.start).toBe(range.start);
          expect(next.end).toBeGreaterThanOrEqual(range.end);
          expect(range.start).toBeGreaterThanOrEqual(2);
          expect(range.end).toBeLessThan(history.length);
        });
      }),
    );
  });

  it('keeps every content that was in view: a copy leaves only where a newer one covers it', () => {
    const copiesOf = (messages: readonly Message[]): FileCopy[] =>
      findFileCopies(messages, defaultDuplicateReadPolicy);
    const isCovered = (copy: FileCopy, left: readonly FileCopy[]): boolean =>
      left.some((other) => {
        const { first, last } = copy.lines === 'unknown' ? wholeFile : copy.lines;
        if (other.lines === 'unknown' || other.messageIndex < copy.messageIndex) return false;
        if (normalPath(other.path) !== normalPath(copy.path)) return false;
        return other.lines.first <= first && other.lines.last >= last;
      });
    let removed = 0;
    fc.assert(
      fc.property(anyHistory, (history) => {
        const messages = frozen(history);
        const { edits, duplicates } = planDuplicateReads(messages);
        const left = copiesOf(applyBlockEdits(messages, edits));
        removed += duplicates.length;
        for (const copy of copiesOf(messages)) {
          const hasLeft = duplicates.some(
            ({ messageIndex, blockIndex }) =>
              messageIndex === copy.messageIndex && blockIndex === copy.blockIndex,
          );
          if (hasLeft) expect(isCovered(copy, left)).toBe(true);
        }
      }),
      { numRuns: 2000 * share },
    );
    expect(removed).toBeGreaterThan(500 * share);
  });

  it('is as valid without its old copies as with them, and has none to lose twice', () => {
    fc.assert(
      fc.property(anyHistory, (history) => {
        const messages = frozen(repairMessages(history).messages);
        const view = applyBlockEdits(messages, planDuplicateReads(messages).edits);
        expect(validateMessages(view)).toEqual([]);
        expect(planDuplicateReads(view).edits).toEqual([]);
        expect(JSON.stringify(view).length).toBeLessThanOrEqual(JSON.stringify(messages).length);
      }),
      { numRuns: 3000 * share },
    );
  });

  it('gives the same bytes twice, and the original when its edits are rolled back', () => {
    fc.assert(
      fc.property(anyHistory, (history) => {
        const { edits } = planDuplicateReads(history);
        expect(JSON.stringify(planDuplicateReads(structuredClone(history)).edits)).toBe(
          JSON.stringify(edits),
        );
        const recorded = recordEdits(emptyEditHistory, edits, 10);
        const rolledBack = applyEdits(history, rollBackEdits(recorded, { timestamp: 9 }));
        expect(JSON.stringify(rolledBack)).toBe(JSON.stringify(history));
      }),
    );
  });
});
