import { isCtxError } from '@ctx/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { RankedDocument } from '../index/relevance-document.ts';
import { selectPointers } from './select-pointers.ts';

const nothing = { text: 0, args: 0, title: 0, named: 0, activity: 0, recency: 0, fileRead: 0 };

const ranked = (
  id: string,
  score: number,
  parts: Partial<RankedDocument['parts']> = {},
): RankedDocument => ({
  id,
  score,
  parts: { ...nothing, ...parts },
});

const pointers = [
  { id: 'a', tokens: 400, sequence: 0 },
  { id: 'b', tokens: 700, sequence: 1 },
  { id: 'c', tokens: 300, sequence: 2 },
  { id: 'd', tokens: 100, sequence: 3 },
];

const all = [ranked('b', 2, { text: 0.5 }), ranked('a', 1.2), ranked('c', 0.4), ranked('d', 0.1)];

describe('selectPointers', () => {
  it('takes the best within the number of results', () => {
    const selection = selectPointers(all, pointers, { maxResults: 2 });
    expect(selection.selected.map(({ pointer }) => pointer.id)).toEqual(['b', 'a']);
    expect(selection).toMatchObject({
      fallback: false,
      tokens: 1_100,
      belowScore: 0,
      overBudget: 2,
    });
  });

  it('passes over what does not fit the token budget and goes on', () => {
    const selection = selectPointers(all, pointers, { maxTokens: 1_050 });
    expect(selection.selected.map(({ pointer }) => pointer.id)).toEqual(['b', 'c']);
    expect(selection).toMatchObject({ tokens: 1_000, overBudget: 2 });
  });

  it('abstains where nothing reaches the score', () => {
    const selection = selectPointers(all, pointers, { minScore: 3 });
    expect(selection).toMatchObject({ selected: [], fallback: false, tokens: 0, belowScore: 4 });
  });

  it('falls back to the most recent few, and says so, where nothing matches the prompt', () => {
    const unmatched = all.map(({ id, score }) => ranked(id, score, { recency: 0.2, fileRead: 1 }));
    const selection = selectPointers(unmatched, pointers, { fallbackResults: 2 });
    expect(selection.selected.map(({ pointer }) => pointer.id)).toEqual(['d', 'c']);
    expect(selection.fallback).toBe(true);
  });

  it('falls back within the token budget', () => {
    const selection = selectPointers([], pointers, { maxTokens: 350, fallbackResults: 3 });
    expect(selection.selected.map(({ pointer }) => pointer.id)).toEqual(['d']);
  });

  it('can be told to abstain instead of falling back', () => {
    expect(selectPointers([], pointers, { fallbackResults: 0 }).selected).toEqual([]);
  });

  it('passes over ids it has no pointer for', () => {
    const selection = selectPointers([ranked('gone', 9, { named: 1 }), ...all], pointers);
    expect(selection.selected).toHaveLength(4);
  });

  it('never exceeds its budgets', () => {
    fc.assert(
      fc.property(
        fc.array(fc.record({ tokens: fc.nat(500), score: fc.nat(5) }), { maxLength: 40 }),
        fc.nat(10),
        fc.nat(1_000),
        (outputs, maxResults, maxTokens) => {
          const held = outputs.map(({ tokens }, index) => ({
            id: String(index),
            tokens,
            sequence: index,
          }));
          const scored = outputs.map(({ score }, index) =>
            ranked(String(index), score, { text: score }),
          );
          const selection = selectPointers(scored, held, { maxResults, maxTokens });
          const sum = selection.selected.reduce((total, { pointer }) => total + pointer.tokens, 0);
          expect(selection.selected.length).toBeLessThanOrEqual(maxResults);
          expect(sum).toBe(selection.tokens);
          expect(sum).toBeLessThanOrEqual(maxTokens);
        },
      ),
    );
  });

  it('refuses a negative budget', () => {
    let thrown: unknown;
    try {
      selectPointers(all, pointers, { maxTokens: -1 });
    } catch (error) {
      thrown = error;
    }
    expect(isCtxError(thrown, 'CTX_INVALID_INPUT')).toBe(true);
  });
});
