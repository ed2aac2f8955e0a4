import './vitest-globals.ts';
import { createSaver } from '@ctx/agent-adapter/langchain';
import { openStore } from '@ctx/store';
import type { StoreBackend } from '@ctx/store/backend';
import { BaseCheckpointSaver } from '@langchain/langgraph-checkpoint';
import { deltaChannelHistoryTests, validate } from '@langchain/langgraph-checkpoint-validation';

/** A backend with nothing in it, and what takes it away. */
export interface FreshBackend {
  readonly backend: StoreBackend;
  readonly remove: () => Promise<void>;
}

/** Runs LangGraph's own suite on our saver, each part of it on a fresh store. */
export function validateSaver(name: string, fresh: () => Promise<FreshBackend>): void {
  const removals = new Map<BaseCheckpointSaver, () => Promise<void>>();
  const initializer = {
    checkpointerName: name,
    createCheckpointer: async () => {
      const { backend, remove } = await fresh();
      const store = await openStore(backend);
      const saver = createSaver({ BaseCheckpointSaver, store });
      removals.set(saver, async () => {
        await store.close();
        await remove();
      });
      return saver;
    },
    destroyCheckpointer: async (saver: BaseCheckpointSaver) => {
      await removals.get(saver)?.();
      removals.delete(saver);
    },
  };
  validate(initializer);
  deltaChannelHistoryTests(initializer);
}
