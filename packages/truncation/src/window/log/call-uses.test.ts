import { describe, expect, it } from 'vitest';
import { describeCall } from '../../calls/describe-call.ts';
import { createCallUses } from './call-uses.ts';

const call = (name: string, input: unknown) =>
  ({ type: 'tool_use', id: 'c', name, input }) as const;
const bash = (command: string) => call('Bash', { command });

describe('what calls do to files', () => {
  it('is told of the same file for a relative path and the absolute one', () => {
    const uses = createCallUses(describeCall);
    const read = uses.useOf(call('Read', { file_path: '/work/src/a.ts' }));
    expect(uses.useOf(bash('cat src/a.ts'))?.path).toBe(read?.path);
  });

  it('is a read by searching only while no tool for reading was used', () => {
    const uses = createCallUses(describeCall);
    const search = bash("rg -n 'limit' src/a.ts");
    expect(uses.useOf(search)).toMatchObject({ shows: 'search' });
    uses.useOf(call('Read', { file_path: '/work/src/b.ts' }));
    expect(uses.useOf(search)).toBeUndefined();
  });
});
