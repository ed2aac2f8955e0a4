import { expect, test } from 'vitest';
import { startReadLog } from './read-receipt.ts';

const source = { offset: 0, length: 1, sha256: '' };
const message = { role: 'assistant', content: [] } as const;

test('many responses are counted once each, with the last usage of each', () => {
  const log = startReadLog();
  for (let seq = 0; seq < 50_000; seq += 1) {
    const groupId = `response-${String(Math.floor(seq / 2))}`;
    const usage = { input: 10, cacheRead: 1, cacheWrite: 2, output: (seq % 2) + 1 };
    log.event({ kind: 'message', seq, lane: 'main', groupId, usage, message, source });
  }
  const { requests, usage } = log.receipt('x', []);
  expect(requests).toBe(25_000);
  expect(usage).toMatchObject({
    input: 250_000,
    cacheRead: 25_000,
    cacheWrite: 50_000,
    output: 50_000,
  });
});
