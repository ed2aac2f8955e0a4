import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createSaver } from '@ctx/agent-adapter/langchain';
import { openStore } from '@ctx/store';
import { memoryBackend, type StoreBackend, type WriteOperation } from '@ctx/store/backend';
import { sqliteBackend } from '@ctx/store-sqlite';
import {
  BaseCheckpointSaver,
  type CheckpointMetadata,
  emptyCheckpoint,
} from '@langchain/langgraph-checkpoint';
import { describe, expect, it } from 'vitest';

const backends: readonly { name: string; make: (folder: string) => StoreBackend }[] = [
  { name: 'memory', make: () => memoryBackend() },
  { name: 'sqlite', make: (folder) => sqliteBackend({ path: join(folder, 'ctx.db') }) },
];

const metadata: CheckpointMetadata = { source: 'loop', step: 0, parents: {} };
const thread = { configurable: { thread_id: 't', checkpoint_ns: '' } };
const values = { list: Array.from({ length: 200 }, (_, at) => `line ${String(at)}`), goal: 'g' };
const versions = { list: 1, goal: 1 };
const checkpoint = {
  ...emptyCheckpoint(),
  ...{ id: 'one', channel_values: values, channel_versions: versions },
};

const isPutOfCheckpoint = ({ type, collection }: WriteOperation): boolean =>
  type === 'put' && collection === 'graph_checkpoints';
const isRemovalOfPart = ({ type, collection }: WriteOperation): boolean =>
  type === 'delete' && collection === 'graph_parts';

/** A write that waits until something else has happened. */
interface Held {
  readonly isMeant: (operation: WriteOperation) => boolean;
  readonly first: () => Promise<unknown>;
}

/** A saver of which the next write of a kind can be held. */
async function holdable(backend: StoreBackend) {
  const held: Held[] = [];
  const store = await openStore({
    ...backend,
    write: async (operations, options) => {
      const at = held.findIndex(({ isMeant }) => operations.some(isMeant));
      const [hold] = at < 0 ? [] : held.splice(at, 1);
      await hold?.first();
      return backend.write(operations, options);
    },
  });
  const saver = createSaver({ BaseCheckpointSaver, store });
  return { store, saver, hold: (next: Held) => void held.push(next) };
}

type Holdable = Awaited<ReturnType<typeof holdable>>;

/** Gives a saver that holds a checkpoint already to a test. */
async function withCheckpoint(
  make: (folder: string) => StoreBackend,
  test: (holdable: Holdable) => Promise<void>,
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'ctx-saver-races-'));
  const made = await holdable(make(folder));
  await made.saver.put(thread, checkpoint, metadata, versions);
  await test(made);
  await made.store.close();
  rmSync(folder, { recursive: true });
}

describe.each(backends)('a checkpoint that is put again on $name', ({ make }) => {
  it('has all its values where its thread was deleted since it was looked at', () =>
    withCheckpoint(make, async ({ saver, hold }) => {
      hold({ isMeant: isPutOfCheckpoint, first: () => saver.deleteThread('t') });
      const config = await saver.put(thread, checkpoint, metadata, {});
      expect((await saver.getTuple(config))?.checkpoint.channel_values).toEqual(values);
    }));

  it('has all its values where another came into the place of the deleted one', () =>
    withCheckpoint(make, async ({ saver, hold }) => {
      const other = { ...checkpoint, channel_values: { list: ['other'], goal: 'other' } };
      const first = async (): Promise<void> => {
        await saver.deleteThread('t');
        await saver.put(thread, other, metadata, versions);
      };
      hold({ isMeant: isPutOfCheckpoint, first });
      const config = await saver.put(thread, checkpoint, metadata, {});
      expect((await saver.getTuple(config))?.checkpoint.channel_values).toEqual(values);
    }));

  it('is gone where it comes while the parts of its thread go', () =>
    withCheckpoint(make, async ({ saver, hold }) => {
      const gates = { open: (): void => undefined };
      const opened = new Promise<void>((resolve) => (gates.open = resolve));
      hold({ isMeant: isPutOfCheckpoint, first: () => opened });
      const putting = saver.put(thread, checkpoint, metadata, {});
      const first = (): Promise<unknown> => {
        gates.open();
        return putting;
      };
      hold({ isMeant: isRemovalOfPart, first });
      await saver.deleteThread('t');
      expect(await saver.getTuple(thread)).toBeUndefined();
    }));
});
