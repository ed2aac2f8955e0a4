import { describe, expect, it } from 'vitest';
import type { Pair } from '../log/segment.ts';
import { createTouchedFiles } from './touched-files.ts';

function pair(access: 'read' | 'edit', path: string, more: Partial<Pair> = {}): Pair {
  return {
    index: 0,
    call: { type: 'tool_use', id: path, name: access, input: { path } },
    use: { access, path, range: '' },
    print: undefined,
    callSegment: 0,
    resultSegment: 1,
    pointer: 'ctx://outputs/1',
    callPointer: 'ctx://messages/1',
    address: 'ctx://outputs/1',
    isError: false,
    isBound: false,
    turn: 1,
    edits: [],
    savedTokens: 0,
    ledgerTokens: 0,
    partTokens: undefined,
    isInPart: false,
    leavingTokens: 0,
    state: 'tail',
    restsOn: undefined,
    isOutdated: false,
    ...more,
  };
}

describe('a file at work', () => {
  it('is one that was read or edited since a turn that edited was over', () => {
    const files = createTouchedFiles();
    const read = pair('read', 'a.ts');
    files.take(read);
    files.beginTurn();
    expect(files.isAtWork(read)).toBe(true);
    files.take(pair('edit', 'b.ts'));
    files.beginTurn();
    expect(files.isAtWork(read)).toBe(false);
    files.take(pair('edit', 'a.ts'));
    expect(files.isAtWork(read)).toBe(true);
  });

  it('is held by its newest successful read only', () => {
    const files = createTouchedFiles();
    const [first, second] = [pair('read', 'a.ts'), pair('read', 'a.ts')];
    expect(files.take(first)).toBeUndefined();
    expect(files.take(pair('read', 'a.ts', { isError: true }))).toBeUndefined();
    expect(files.isAtWork(first)).toBe(true);
    expect(files.take(second)).toBe(first);
    expect([files.isAtWork(first), files.isAtWork(second)]).toEqual([false, true]);
  });

  it('keeps the content that a newer read only points to', () => {
    const files = createTouchedFiles();
    const content = pair('read', 'a.ts');
    files.take(content);
    const pointing = pair('read', 'a.ts', { restsOn: content });
    expect(files.take(pointing)).toBeUndefined();
    expect([files.isAtWork(content), files.isAtWork(pointing)]).toEqual([true, true]);
  });
});
