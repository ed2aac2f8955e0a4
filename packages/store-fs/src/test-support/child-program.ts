import { writeSync } from 'node:fs';
import { isCtxError } from '@ctx/core';
import { openStore } from '@ctx/store';
import type { WriteOperation } from '@ctx/store/backend';
import { fsBackend } from '../fs-backend.ts';
import { watchCalls } from './failing-calls.ts';
import { outputPut, sessionPut, testCollections } from './records.ts';

const [call = '', path = '', amount = '0', label = ''] = process.argv.slice(2);
const count = Number(amount);
/** `MODE+segments`: new outputs share files. */
const [mode = '', sharing] = call.split('+');
const segments = sharing === undefined ? [] : ['outputs'];
const backend = fsBackend({ path, readOnly: mode === 'read', segments });

/** Says what was acknowledged, past every buffer of this process. */
function say(text: string | number): void {
  writeSync(1, `${text}\n`);
}

async function writeForEver(): Promise<void> {
  for (let number = count; ; number++) {
    await backend.write([
      sessionPut('state', number, 200_000),
      outputPut(`a${number}`, number, 1_000),
      outputPut(`b${number}`, number, 1_000),
    ]);
    await backend.write([outputPut(`single${number}`, number, 5_000)]);
    if (number % 3 === 0) {
      const key = ['t', 's', `single${number}`];
      await backend.write([{ type: 'delete', collection: 'outputs', key }]);
    }
    say(number);
  }
}

async function increment(): Promise<void> {
  for (let done = 0; done < count; ) {
    const [record] = await backend.get('sessions', [['t', 'shared']]);
    const seen: unknown = record === undefined ? [] : JSON.parse(record.body);
    const next: unknown[] = [
      ...(Array.isArray(seen) ? (seen as unknown[]) : []),
      `${label}-${done}`,
    ];
    const put = sessionPut('shared', next.length);
    try {
      const expectVersion = record?.version ?? 0;
      await backend.write([{ ...put, body: JSON.stringify(next), expectVersion }]);
      done++;
    } catch (error) {
      if (!isCtxError(error, 'CTX_STORE_CONFLICT')) throw error;
    }
  }
}

const changes: readonly WriteOperation[] = [
  sessionPut('changed', 2, 100),
  outputPut('made', 2),
  { type: 'delete', collection: 'outputs', key: ['t', 's', 'removed'] },
  { type: 'patch', collection: 'outputs', key: ['t', 's', 'patched'], columns: { number: 2 } },
];

async function dieAtCall(operations: readonly WriteOperation[]): Promise<void> {
  const watch = watchCalls((number) => {
    if (number === count) process.kill(process.pid, 'SIGKILL');
  });
  await backend.write(operations);
  watch.stop();
  say('done');
}

async function holdLock(): Promise<void> {
  // Dies, or blocks for `amount` ms, in the middle of a write.
  const watch = watchCalls((_, name) => {
    if (name !== 'fsync') return;
    say('holding');
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, count);
    watch.stop();
  });
  await backend.write([sessionPut('held', 1)]);
  say('done');
}

/** Says which outputs a folder holds that is only read, and what a write ends with. */
async function readOnly(): Promise<void> {
  const query = { collection: 'outputs', equal: ['t'], words: ['output'], limit: 99 };
  for (const { key } of await backend.search(query)) say(key.join('/'));
  const error: unknown = await backend
    .write([sessionPut('one', 1)])
    .catch((thrown: unknown) => thrown);
  say(isCtxError(error) ? error.code : 'written');
}

/** Saves outputs into one session, as several processes of one agent do. */
async function saveOutputs(): Promise<void> {
  const store = await openStore(backend);
  for (let at = 0; at < count; at++) {
    const input = { sessionId: 'shared', toolName: 't', args: { label, at }, result: [label, at] };
    await store.outputs.save(input);
  }
  await store.close();
}

if (mode === 'save') await saveOutputs();
else await backend.open(testCollections);
if (mode === 'read') await readOnly();
if (mode === 'write') await writeForEver();
if (mode === 'increment') await increment();
if (mode === 'die') await dieAtCall(changes);
if (mode === 'add') await dieAtCall([outputPut('made', 2), outputPut('more', 3)]);
if (mode === 'hold') await holdLock();
await backend.close();
