import type { Pair } from '../log/segment.ts';

/** A read or an edit of a file in the log, whose members can be given. */
export function pairOf(access: 'read' | 'edit', path: string, more: Partial<Pair> = {}): Pair {
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
    nominatedAt: 0,
    state: 'tail',
    restsOn: undefined,
    isOutdated: false,
    ...more,
  };
}
