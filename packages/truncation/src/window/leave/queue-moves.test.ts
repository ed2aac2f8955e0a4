import { describe, expect, it } from 'vitest';
import type { Pair } from '../log/segment.ts';
import { pairOf } from '../test-support/pairs.ts';
import { type WindowPolicy, windowPolicy } from '../window-policy.ts';
import { createLeaveQueue } from './leave-queue.ts';

/** Tokens of each call; those of its result are given. */
const callTokens = 10;

/** Each kind of pair leaves its tail when 100 tokens came after it. */
const tails = { tailTokens: 100, otherTailTokens: 100, editTailTokens: 100, coldTailTokens: 0 };

const base = { ...tails, partTailTokens: 500, workCalls: 3, editedWorkCalls: 5, rereadWeight: 1 };

/** A log of calls with results of known sizes, and the queue of what may leave it. */
function logWith(changes: Partial<WindowPolicy> = {}, mostHeld = 0) {
  const shown: number[] = [];
  const state = { requests: 0, requestTokens: 1000, mostHeld };
  const policy = windowPolicy('default', { ...base, ...changes });
  const queue = createLeaveQueue({
    policy: () => policy,
    tokensAfter: (segment) => shown.slice(segment + 1).reduce((sum, tokens) => sum + tokens, 0),
    shownTokens: (segment) => shown[segment] ?? 0,
    requests: () => state.requests,
    holdTokens: () => state.mostHeld,
    requestTokens: () => state.requestTokens,
    price: () => ({ read: 0.1, write: 1.25 }),
  });
  const insert = (pair: (places: Partial<Pair>) => Pair, tokens: number): Pair => {
    const callSegment = shown.length;
    shown.push(callTokens, tokens);
    const places = { callSegment, resultSegment: callSegment + 1, index: callSegment / 2 };
    const made = pair({ ...places, savedTokens: tokens, ledgerTokens: 5 });
    queue.add(made);
    return made;
  };
  const show =
    (access: 'read' | 'edit') =>
    (path: string, tokens: number, more: Partial<Pair> = {}): Pair =>
      insert((places) => pairOf(access, path, { ...places, ...more }), tokens);
  const other = (tokens: number, more: Partial<Pair> = {}): Pair =>
    insert((places) => pairOf('read', '', { ...places, use: undefined, ...more }), tokens);
  return { queue, state, shown, read: show('read'), edit: show('edit'), other };
}

const numbersOf = (pairs: readonly Pair[]): number[] => pairs.map(({ index }) => index);

describe('what leaves the tail', () => {
  it('may go as soon as so many tokens came after it, with what it saves and where it begins', () => {
    const { queue, state, other } = logWith();
    const [first, second] = [other(50), other(90)];
    state.requests = 7;
    queue.advance();
    expect(numbersOf(queue.candidates)).toEqual([0]);
    expect(queue).toMatchObject({ leavingTokens: 50, firstSegment: 0, steps: 1 });
    expect(first).toMatchObject({ state: 'candidate', nominatedAt: 7, leavingTokens: 50 });
    expect(second.state).toBe('tail');
    queue.advance();
    expect(queue.steps).toBe(1);
    other(89);
    queue.advance();
    expect(second.state).toBe('tail');
    other(1);
    queue.advance();
    expect(numbersOf(queue.candidates)).toEqual([0, 1]);
    expect(queue).toMatchObject({ leavingTokens: 140, firstSegment: 0, steps: 2 });
  });

  it('begins with its result where its call left before, unless that had to stay', () => {
    for (const isBound of [false, true]) {
      const { queue, other } = logWith();
      other(40, { isInPart: true, isBound });
      other(200);
      queue.advance();
      expect(queue.firstSegment).toBe(isBound ? 0 : 1);
      expect(queue.leavingTokens).toBe(35);
    }
  });

  it('stays for good where nothing is saved', () => {
    const { queue, other } = logWith();
    const empty = other(50, { savedTokens: 0 });
    other(200);
    queue.advance();
    expect(empty.state).toBe('staying');
    expect(queue).toMatchObject({ leavingTokens: 0, firstSegment: Infinity, held: [] });
    expect(queue.candidates).toEqual([]);
  });

  it('is shown in part for a while where that saves nothing now, and stays for good after it', () => {
    const { queue, other, edit } = logWith();
    const young = edit('a.ts', 50, { savedTokens: 30, partTokens: 60 });
    other(200);
    queue.advance();
    expect(young.state).toBe('part');
    expect(numbersOf(queue.held)).toEqual([0]);
    expect(queue.candidates).toEqual([]);
    other(300, { savedTokens: 0 });
    queue.advance();
    expect([young.state, queue.leavingTokens]).toEqual(['candidate', 230]);
    expect(numbersOf(queue.held)).toEqual([]);
  });

  it('has what is in the tail, and what waits for it, in the order of the log', () => {
    const { queue, read, other } = logWith();
    const older = other(50);
    read('a.ts', 20);
    older.restedOnBy = other(20);
    other(30);
    queue.advance();
    expect(older.state).toBe('waiting');
    expect(numbersOf(queue.tailPairs())).toEqual([0, 1, 2, 3]);
    expect(queue.candidates).toEqual([]);
  });

  it('takes along what waited for it, which is counted as well', () => {
    const { queue, other } = logWith();
    const older = other(50);
    older.restedOnBy = other(40);
    other(60);
    queue.advance();
    expect([older.state, queue.steps]).toEqual(['waiting', 1]);
    other(60);
    queue.advance();
    expect(numbersOf(queue.candidates)).toEqual([1, 0]);
    expect(queue).toMatchObject({ leavingTokens: 90, firstSegment: 0, steps: 3 });
    expect(numbersOf(queue.tailPairs())).toEqual([2, 3]);
  });
});

describe('what may go', () => {
  it('waits again where a newer one comes to rest on it', () => {
    const { queue, other } = logWith();
    const [first, second] = [other(50), other(60)];
    other(200);
    queue.advance();
    queue.restOn(second);
    expect(numbersOf(queue.candidates)).toEqual([0, 1]);
    first.restedOnBy = other(10);
    queue.restOn(first);
    expect(first.state).toBe('waiting');
    expect(numbersOf(queue.candidates)).toEqual([1]);
    expect(queue).toMatchObject({ leavingTokens: 60, firstSegment: 2 });
    queue.restOn(first);
    expect(numbersOf(queue.candidates)).toEqual([1]);
    const young = other(10);
    queue.restOn(young);
    expect(young.state).toBe('tail');
  });

  it('is gone when it left, and what rested on it may follow', () => {
    const { queue, other } = logWith();
    const [first, second, third] = [other(50), other(60), other(70)];
    other(200);
    queue.advance();
    const before = queue.steps;
    queue.remove([first, third]);
    expect([first.state, second.state, third.state]).toEqual(['left', 'candidate', 'left']);
    expect(numbersOf(queue.candidates)).toEqual([1]);
    expect(queue).toMatchObject({ leavingTokens: 60, firstSegment: 2, steps: before + 2 });
  });

  it('is let go by a pair that is forced out of the tail', () => {
    const { queue, other } = logWith();
    const older = other(50);
    const newer = other(60);
    older.restedOnBy = newer;
    other(80);
    queue.advance();
    expect(older.state).toBe('waiting');
    queue.remove([newer]);
    expect([newer.state, older.state]).toEqual(['left', 'candidate']);
    expect(numbersOf(queue.candidates)).toEqual([0]);
  });

  it('is gone where it is forced out of the tail, whatever it waited for, and however cold the cache', () => {
    const { queue, other } = logWith();
    const [older, newer] = [other(50), other(60)];
    older.restedOnBy = newer;
    other(80);
    queue.advance();
    expect(older.state).toBe('waiting');
    const forced = other(10);
    queue.remove([older, forced]);
    expect(numbersOf(queue.coldPairs())).toEqual([1, 2]);
    other(200);
    queue.advance();
    expect([older.state, forced.state]).toEqual(['left', 'left']);
    expect(numbersOf(queue.candidates)).toEqual([1, 2]);
  });

  it('goes on being shown in part where it is young, and then may go', () => {
    const { queue, other, read } = logWith();
    const part = read('a.ts', 60, { partTokens: 20, isError: false });
    other(120);
    queue.advance();
    expect([queue.goesInPart(part), queue.leavingTokens]).toEqual([true, 45]);
    queue.remove([part], new Set([part]));
    expect(part).toMatchObject({ state: 'part', isInPart: true });
    expect(numbersOf(queue.held)).toEqual([0]);
    expect(queue).toMatchObject({ heldTokens: 0, leavingTokens: 0, firstSegment: Infinity });
    other(400);
    queue.advance();
    expect(part.state).toBe('candidate');
    expect(part.leavingTokens).toBe(55);
  });
});

describe('a file at work', () => {
  it('stays out of the tail, and is counted, until so many calls touched others', () => {
    const { queue, read, other } = logWith({}, 1000);
    const held = read('a.ts', 300);
    other(120);
    queue.advance();
    expect([held.state, queue.heldTokens]).toEqual(['held', 300]);
    expect(numbersOf(queue.held)).toEqual([0]);
    expect(queue.candidates).toEqual([]);
    other(10);
    other(10);
    queue.advance();
    expect(held.state).toBe('held');
    other(10);
    queue.advance();
    expect([held.state, queue.heldTokens, queue.leavingTokens]).toEqual(['candidate', 0, 300]);
  });

  it('is held while there is room: those that rested longest go first, those of one age in order', () => {
    const { queue, read, other, state } = logWith({ workCalls: 20 }, 900);
    for (const path of ['a.ts', 'b.ts', 'c.ts']) read(path, 300);
    read('a.ts', 10, { isError: true });
    other(120);
    queue.advance();
    expect(queue.heldTokens).toBe(900);
    expect(numbersOf(queue.held)).toEqual([1, 2, 0]);
    state.mostHeld = 899;
    read('d.ts', 1, { savedTokens: 1 });
    other(120);
    queue.advance();
    expect(numbersOf(queue.held)).toEqual([2, 0, 5]);
    expect(queue.heldTokens).toBe(601);
    expect(numbersOf(queue.candidates)).toContain(1);
  });

  it('is held whatever the size of a smaller one behind it', () => {
    const { queue, read, other } = logWith({ workCalls: 20 }, 300);
    for (const [path, tokens] of [
      ['a.ts', 20],
      ['b.ts', 280],
      ['c.ts', 20],
    ] as const) {
      read(path, tokens);
    }
    other(120);
    queue.advance();
    expect(numbersOf(queue.held)).toEqual([1, 2]);
    expect(queue.heldTokens).toBe(300);
    expect(numbersOf(queue.candidates)).toEqual([0]);
  });

  it('waits for a newer read that rests on it before it is held', () => {
    const { queue, read, other } = logWith({}, 1000);
    const older = read('a.ts', 50);
    const newer = read('a.ts', 40);
    older.restedOnBy = newer;
    other(60);
    queue.advance();
    expect([older.state, newer.state, queue.heldTokens]).toEqual(['waiting', 'tail', 0]);
    other(40);
    queue.advance();
    expect([older.state, newer.state, queue.heldTokens]).toEqual(['held', 'held', 90]);
  });

  it('is let go when it rested, though others are at work', () => {
    const { queue, read, other } = logWith({}, 1000);
    const [rested, touched] = [read('a.ts', 300), read('b.ts', 300)];
    other(120);
    queue.advance();
    expect([rested.state, touched.state]).toEqual(['held', 'held']);
    read('b.ts', 5, { isError: true });
    other(10);
    queue.advance();
    expect([rested.state, touched.state]).toEqual(['candidate', 'held']);
    expect(queue.heldTokens).toBe(300);
  });

  it('goes on being shown in part where it is young, unless a newer read shows all of it', () => {
    for (const isOutdated of [false, true]) {
      const { queue, read, other } = logWith({ partTailTokens: 1000 }, 1000);
      const part = read('a.ts', 200, { isInPart: true });
      other(120);
      queue.advance();
      expect(part.state).toBe('held');
      if (isOutdated) queue.outdate({ access: 'read', path: 'a.ts', range: '' });
      for (const tokens of [1, 1, 1]) other(tokens);
      queue.advance();
      expect(part.state).toBe(isOutdated ? 'candidate' : 'part');
    }
  });

  it('is held when it was shown in part for a while, if a call touched it meanwhile', () => {
    const { queue, read, other } = logWith({}, 1000);
    const part = read('a.ts', 200, { isInPart: true });
    other(120);
    for (const tokens of [1, 1, 1]) other(tokens);
    queue.advance();
    queue.remove([part], new Set([part]));
    expect(part.state).toBe('part');
    other(400);
    read('a.ts', 5, { isError: true });
    queue.advance();
    expect([part.state, queue.heldTokens]).toEqual(['held', 195]);
  });

  it('is shown in part only until so many tokens came after it', () => {
    for (const [tokens, inPart] of [
      [489, true],
      [490, false],
    ] as const) {
      const { queue, read, other } = logWith();
      const part = read('a.ts', 60, { partTokens: 20 });
      other(tokens);
      expect(queue.goesInPart(part)).toBe(inPart);
    }
  });

  it('goes once, out of date, also when it would not be shown in part any more', () => {
    const { queue, read, other } = logWith();
    const part = read('a.ts', 60, { partTokens: 20 });
    other(120);
    queue.advance();
    queue.remove([part], new Set([part]));
    queue.outdate({ access: 'read', path: 'a.ts', range: '' });
    queue.remove([part]);
    other(400);
    queue.advance();
    expect(part.state).toBe('left');
    expect(numbersOf(queue.candidates)).toEqual([1]);
  });

  it('comes back when a call touches it again before it went, and is counted', () => {
    const { queue, read, other } = logWith({}, 1000);
    const back = read('a.ts', 300);
    for (const tokens of [40, 40, 40, 40]) other(tokens);
    queue.advance();
    expect([back.state, queue.leavingTokens]).toEqual(['candidate', 380]);
    const before = queue.steps;
    read('a.ts', 5, { isError: true });
    queue.advance();
    expect([back.state, queue.heldTokens, queue.steps]).toEqual(['held', 300, before + 1]);
    expect(numbersOf(queue.candidates)).toEqual([1, 2]);
    expect(queue).toMatchObject({ leavingTokens: 80, firstSegment: 2 });
  });

  it('goes on waiting since it could go first where it comes back and finds no room', () => {
    const { queue, read, other, state } = logWith({}, 1000);
    state.requests = 3;
    const back = read('a.ts', 300);
    for (const tokens of [40, 40, 40, 40]) other(tokens);
    queue.advance();
    expect(back.nominatedAt).toBe(3);
    state.requests = 9;
    state.mostHeld = 299;
    read('a.ts', 5, { isError: true });
    queue.advance();
    expect([back.state, back.nominatedAt, queue.heldTokens]).toEqual(['candidate', 3, 0]);
  });

  it('is let go when a newer read shows all of it', () => {
    const { queue, read, other } = logWith({}, 1000);
    const [older, another] = [read('a.ts', 300), read('b.ts', 200)];
    other(120);
    queue.advance();
    const before = queue.steps;
    const newer = read('a.ts', 300);
    if (newer.use !== undefined) queue.outdate({ ...newer.use, range: '' });
    expect(older).toMatchObject({ state: 'candidate', isOutdated: true });
    expect([another.state, queue.heldTokens]).toEqual(['held', 200]);
    expect(numbersOf(queue.held)).toEqual([another.index]);
    expect(queue.steps).toBe(before + 2);
  });

  it('may go at once, out of date, where it was shown in part', () => {
    const { queue, read, other } = logWith();
    const part = read('a.ts', 60, { partTokens: 20 });
    other(120);
    queue.advance();
    queue.remove([part], new Set([part]));
    expect(part.state).toBe('part');
    queue.outdate({ access: 'read', path: 'b.ts', range: '' });
    expect(part.state).toBe('part');
    queue.outdate({ access: 'read', path: 'a.ts', range: '' });
    expect(part).toMatchObject({ state: 'candidate', leavingTokens: 55 });
  });

  it('is shown in part, and held so, where it is large', () => {
    const { queue, read, other } = logWith({ workReadTokens: 200 }, 1000);
    const [large, small] = [
      read('a.ts', 201, { partTokens: 50 }),
      read('b.ts', 200, { partTokens: 50 }),
    ];
    other(120);
    queue.advance();
    expect([large.state, small.state]).toEqual(['candidate', 'held']);
    expect(large.leavingTokens).toBe(201 + 5 - 50);
    queue.remove([large], new Set([large]));
    expect(large).toMatchObject({ state: 'held', isInPart: true });
    expect(numbersOf(queue.held)).toEqual([0, 1]);
    expect(queue.heldTokens).toBe(201 - 5 + 200 + 5 - 50);
  });

  it('is held as the result of an edit where that shows enough of it', () => {
    const { queue, edit, other } = logWith({ partTailTokens: 0 }, 1000);
    const [tells, short] = [
      edit('a.ts', 150, { isInPart: true }),
      edit('a.ts', 149, { isInPart: true }),
    ];
    const whole = edit('a.ts', 400);
    other(120);
    queue.advance();
    expect([tells.state, short.state, whole.state]).toEqual(['held', 'candidate', 'candidate']);
  });

  it('is none where nothing may be held', () => {
    const { queue, read, other } = logWith({}, 0);
    const all = read('a.ts', 300);
    other(120);
    queue.advance();
    expect([all.state, queue.heldTokens]).toEqual(['candidate', 0]);
  });

  it('is one that the user names, however long ago it was touched', () => {
    const { queue, read, other } = logWith({ workCalls: 0, editedWorkCalls: 0 }, 1000);
    queue.takeWords('Mend src/a.ts.');
    const [named, unnamed] = [read('src/a.ts', 300), read('src/b.ts', 300)];
    other(120);
    queue.advance();
    expect([named.state, unnamed.state]).toEqual(['held', 'candidate']);
  });
});

describe('at a cold moment', () => {
  it('goes what another request could ask for again more cheaply', () => {
    // Kept: 2.25 a token. Asked for again: 0.1 of 1,000, 1.25 a token, and 250 tokens of an answer at 5.
    for (const [tokens, stays] of [
      [1350, true],
      [1351, false],
    ] as const) {
      const { queue, read, other, shown } = logWith({ workCalls: 9 }, 9000);
      const pair = read('a.ts', tokens);
      other(120);
      queue.advance();
      expect(pair.state).toBe('held');
      expect(shown).toHaveLength(4);
      expect(numbersOf(queue.coldPairs())).toEqual(stays ? [1] : [0, 1]);
      expect(pair.leavingTokens).toBe(stays ? 0 : tokens);
    }
  });

  it('goes what is in the tail, but for the newest tokens, what is at work and what is rested on', () => {
    const { queue, read, other } = logWith({ coldTailTokens: 30, workCalls: 1 }, 9000);
    const [old, empty, rested] = [other(10), other(5, { savedTokens: 0 }), other(5)];
    rested.restedOnBy = read('a.ts', 5);
    const newest = other(25);
    const before = queue.steps;
    expect(numbersOf(queue.coldPairs())).toEqual([old.index]);
    expect([old.leavingTokens, empty.leavingTokens]).toEqual([10, 0]);
    expect(queue.steps).toBe(before + 4);
    expect(newest.leavingTokens).toBe(0);
  });
});
