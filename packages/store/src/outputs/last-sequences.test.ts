import { describe, expect, it } from 'vitest';
import { lastSequences, noteRead } from './last-sequences.ts';

const output = (sessionId: string, sequence: number) => ({
  key: [sessionId, 'id'],
  columns: { sequence },
  version: 1,
  body: '{}',
});

describe('the last sequence number of a session', () => {
  it('is that of the newest output that was read, the first being 0', () => {
    const last = lastSequences();
    noteRead(last, output('s', 0));
    expect(last.get('s')).toBe(0);
    for (const sequence of [4, 2, 4]) noteRead(last, output('s', sequence));
    expect(last.get('s')).toBe(4);
    expect(last.get('other')).toBeUndefined();
  });

  it('is not noted for an output without one', () => {
    const last = lastSequences();
    noteRead(last, output('s', -1));
    expect(last.get('s')).toBeUndefined();
  });
});
