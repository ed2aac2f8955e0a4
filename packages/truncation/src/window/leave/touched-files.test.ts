import { describe, expect, it } from 'vitest';
import { pairOf as pair } from '../test-support/pairs.ts';
import { createTouchedFiles } from './touched-files.ts';

const calls = (workCalls: number) => ({ workCalls, editedWorkCalls: workCalls });

describe('a file at work', () => {
  it('is one that a call touched lately, whatever the user said since', () => {
    const files = createTouchedFiles(() => calls(2));
    const read = pair('read', 'a.ts');
    files.take(read);
    files.take(pair('edit', 'b.ts'));
    files.takeWords('next');
    files.take(pair('edit', 'b.ts'));
    expect(files.isAtWork(read)).toBe(true);
    files.take(pair('edit', 'b.ts'));
    expect(files.isAtWork(read)).toBe(false);
    files.take(pair('edit', 'a.ts'));
    expect(files.isAtWork(read)).toBe(true);
  });

  it('is one that the task names, or the newest words of the user', () => {
    const files = createTouchedFiles(() => calls(0));
    const [task, newest] = [pair('read', 'src/a.ts'), pair('read', '/work/lib/b.ts')];
    for (const each of [task, newest, pair('read', 'other.ts')]) files.take(each);
    files.takeWords('Mend a.ts.');
    files.takeWords('Look at lib/b.ts, then go on.');
    expect([files.isAtWork(task), files.isAtWork(newest)]).toEqual([true, true]);
    files.takeWords('Well done');
    expect([files.isAtWork(task), files.isAtWork(newest)]).toEqual([true, false]);
  });

  it('is none that failed to be read, and none that only a diff or a search came across', () => {
    const files = createTouchedFiles(() => calls(40));
    const failed = pair('read', 'a.ts', { isError: true });
    files.take(failed);
    expect(files.isAtWork(failed)).toBe(false);
    const use = { access: 'read', path: 'b.ts', range: 'git diff', shows: 'diff' } as const;
    const diff = pair('read', 'b.ts', { use });
    files.take(diff);
    expect([files.isAtWork(diff), files.isAtWork(pair('read', 'b.ts'))]).toEqual([false, false]);
    files.take(pair('edit', 'b.ts'));
    expect(files.isAtWork(diff)).toBe(true);
  });
});
