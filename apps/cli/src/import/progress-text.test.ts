import { expect, test } from 'vitest';
import { progressText } from './progress-text.ts';

const progress = {
  label: 'importing 1/1',
  path: 'a.jsonl',
  bytes: 50_000_000,
  sizeBytes: 100_000_000,
  elapsedMs: 2_000,
  columns: 100,
};

test('a wide terminal sees a bar, the share and the speed', () => {
  expect(progressText(progress)).toBe(
    'importing 1/1 [##########..........] 50.0 % 23.8 MB/s of a.jsonl',
  );
});

test('a narrow terminal sees the share only', () => {
  expect(progressText({ ...progress, columns: 40 })).toBe('importing 1/1 50.0 % a.jsonl');
});

test('there is no speed before there is something to measure, and an empty file is done', () => {
  expect(progressText({ ...progress, elapsedMs: 10, bytes: 0, sizeBytes: 0 })).toBe(
    'importing 1/1 [####################] – of a.jsonl',
  );
});
