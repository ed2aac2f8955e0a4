import type { Message } from '@ctx/core';
import { openStore } from '@ctx/store';
import { memoryBackend } from '@ctx/store/backend';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createContextManager } from '../create-context-manager.ts';

const say = (role: Message['role'], text: string): Message => ({
  role,
  content: [{ type: 'text', text }],
});

/** A loop's history, one turn longer each time. */
function createLoop(name: string, begin: readonly Message[] = []) {
  const history: Message[] = [...begin];
  let turn = 0;
  return () => {
    turn += 1;
    history.push(say('user', `${name} asks ${String(turn)}`));
    const sent = [...history];
    history.push(say('assistant', `${name} answers ${String(turn)}`));
    return sent;
  };
}

let warnings: string[] = [];

beforeEach(() => {
  warnings = [];
  vi.spyOn(process, 'emitWarning').mockImplementation((warning) => {
    warnings.push(String(warning));
  });
});

afterEach(() => {
  vi.restoreAllMocks();
});

async function open() {
  const store = await openStore(memoryBackend());
  return createContextManager({ store, sessionId: 's' });
}

it.each([
  ['begin alike', [say('user', 'the same task'), say('assistant', 'on it')]],
  ['have nothing in common', []],
])(
  'two loops that share a manager are warned of once, with the fix: histories that %s',
  async (_how, begin) => {
    const manager = await open();
    const [one, other] = [createLoop('one', begin), createLoop('other', begin)];
    const told: unknown[] = [];
    for (let step = 0; step < 5; step += 1) {
      for (const next of [one, other])
        told.push((await manager.prepare(next())).receipt.alternates);
    }
    expect(warnings).toEqual([
      expect.stringContaining(
        "session s; give each loop a manager of its own: manager.lane('name')",
      ),
    ]);
    expect(told.slice(0, 3)).toEqual([undefined, undefined, undefined]);
    expect(told.slice(3).every((each) => each === true)).toBe(true);
  },
);

it('lanes let two loops run side by side: nothing is rewound, and requests only grow', async () => {
  const manager = await open();
  const loops = [manager, manager.lane('search')].map((each, at) => ({
    manager: each,
    next: createLoop(String(at)),
    before: [] as readonly Message[],
  }));
  for (let step = 0; step < 5; step += 1) {
    for (const loop of loops) {
      const { messages, receipt } = await loop.manager.prepare(loop.next());
      expect(receipt.rewound).toBeUndefined();
      expect(messages.slice(0, loop.before.length)).toEqual(loop.before);
      loop.before = messages;
    }
  }
  expect(warnings).toEqual([]);
});

it('a user who goes back to an earlier message, or undoes that, is not two loops', async () => {
  const manager = await open();
  const loop = createLoop('one');
  const first = loop();
  const second = loop();
  const edited = [...second.slice(0, -1), say('user', 'something else')];
  for (const history of [first, second, edited, second]) {
    expect((await manager.prepare(history)).receipt.alternates).toBeUndefined();
  }
  expect(warnings).toEqual([]);
});

it('the same name gives the same lane, whose session stands beside that of the manager and ends with it', async () => {
  const manager = await open();
  const lane = manager.lane('search');
  expect(manager.lane('search')).toBe(lane);
  expect([lane.sessionId, lane.agentId]).toEqual(['s/search', manager.agentId]);
  expect(() => manager.lane('')).toThrow(expect.objectContaining({ code: 'CTX_INVALID_OPTION' }));
  await manager.end();
  await expect(lane.prepare([say('user', 'hi')])).rejects.toThrow('was ended');
});
