import { CtxError } from '@ctx/core';
import { openStore } from '@ctx/store';
import { memoryBackend } from '@ctx/store/backend';
import { windowModes } from '@ctx/truncation';
import { expect, test } from 'vitest';
import { createContextManager } from './create-context-manager.ts';

const store = await openStore(memoryBackend());
const { tailTokens: _tail, ...withoutTail } = windowModes.default;

/** Makes a manager as JavaScript does, where no type is in the way. */
function make(options: object): unknown {
  return Reflect.apply(createContextManager, undefined, [{ store, sessionId: 's', ...options }]);
}

test.each<[string, object]>([
  ['policy must be a name or an object, got null', { policy: null }],
  ['policy must be a name or an object, got 5', { policy: 5 }],
  ['policy.reserveTokens must be a number, got undefined', { policy: {} }],
  ['policy.tailTokens must be a number, got undefined', { policy: withoutTail }],
  [
    'window policy: reserveTokens must be 0 or more',
    { policy: { ...windowModes.default, reserveTokens: Number.NaN } },
  ],
  [
    'policy.partShare must be a number, got string',
    { policy: { ...windowModes.default, partShare: '7' } },
  ],
  ['agentId must be a text, got null', { agentId: null }],
  ['agentId must not be empty', { agentId: '' }],
  ['tokenCounter must be a function, got 5', { tokenCounter: 5 }],
  ['summarizer must be a summariser with a method summarize, got string', { summarizer: 'x' }],
  ['offload must be an object, got 5', { offload: 5 }],
  ['memory must be an object, got string', { memory: 'x' }],
  ['flashSave must be an object or false, got null', { flashSave: null }],
  ['compaction must be an object or false, got null', { compaction: null }],
  ['at most 2147483647, got NaN', { compaction: { timeoutMs: Number.NaN } }],
  ['at most 2147483647, got Infinity', { compaction: { timeoutMs: Number.POSITIVE_INFINITY } }],
  ['compaction.timeoutMs must be above 0 and', { compaction: { timeoutMs: -1 } }],
  ['compaction.sizes must be an object, got 5', { compaction: { sizes: 5 } }],
  [
    'compaction.sizes.summaryTokens must be a number from 0, got -1',
    { compaction: { sizes: { summaryTokens: -1 } } },
  ],
  ['compaction.pinned must be a function, got object', { compaction: { pinned: [] } }],
  ['model must be a name or an object, got null', { model: null }],
])('a manager says: %s', (words, options) => {
  expect(() => make(options)).toThrow(words);
  expect(() => make(options)).toThrow(CtxError);
});

test.each<[string, object]>([
  ['every mode in numbers', { policy: windowModes.thrifty }],
  ['parts turned off', { compaction: false, flashSave: false }],
  ['empty parts', { compaction: { sizes: {} }, flashSave: {}, offload: {}, memory: {} }],
  ['the longest time', { compaction: { timeoutMs: 2_147_483_647 } }],
])('a manager takes %s', (_what, options) => {
  expect(() => make(options)).not.toThrow();
});

test.each([null, 0, '', 'no'])('end deletes nothing where keep is %j', async (keep) => {
  const manager = createContextManager({ store, sessionId: `kept-${String(keep)}` });
  await manager.recordToolOutput({ id: 'c', name: 'Bash', input: {} }, 'tests pass');
  // @ts-expect-error A program without types may hand in anything.
  await expect(manager.end({ keep })).rejects.toThrow('keep must be true or false');
  expect(await manager.getAllPointers()).toHaveLength(1);
});

test.each([undefined, null, 5])('a lane is not named %j', (name) => {
  const manager = createContextManager({ store, sessionId: 's' });
  // @ts-expect-error A program without types may hand in anything.
  expect(() => manager.lane(name)).toThrow('the name of a lane must be a text');
});

test('a fork for an agent without a name begins no session', async () => {
  const manager = createContextManager({ store, sessionId: 'forked' });
  await manager.checkpoint('before');
  const fork = { sessionId: 'fork', agentId: '' };
  await expect(manager.fork('before', fork)).rejects.toThrow('agentId must not be empty');
  expect(await store.sessions.get('fork')).toBeUndefined();
});
