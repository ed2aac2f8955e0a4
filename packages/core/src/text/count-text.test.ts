import { describe, expect, it } from 'vitest';
import {
  bytesText,
  countedText,
  countsText,
  countText,
  percentText,
  timeText,
} from './count-text.ts';

describe('figures for people', () => {
  it('count with commas in every locale', () => {
    expect([countText(0), countText(1234567.4)]).toEqual(['0', '1,234,567']);
    expect([countedText(1, 'entry', 'entries'), countedText(2, 'session')]).toEqual([
      '1 entry',
      '2 sessions',
    ]);
  });

  it('name bytes by their unit', () => {
    expect([0, 1023, 1024, 5_000_000].map(bytesText)).toEqual([
      '0 B',
      '1023 B',
      '1.0 KB',
      '4.8 MB',
    ]);
  });

  it('give shares with one decimal, and a dash where there is nothing', () => {
    expect([percentText(1, 3), percentText(0, 0)]).toEqual(['33.3 %', '–']);
  });

  it('give moments in UTC, and a dash for none', () => {
    expect([timeText(0), timeText(Number.NaN)]).toEqual(['1970-01-01T00:00:00Z', '–']);
  });

  it('list counts by kind', () => {
    expect([countsText({}), countsText({ a: 3, b: 1 })]).toEqual(['none', 'a (3), b (1)']);
  });
});
