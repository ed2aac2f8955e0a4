import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createStore } from '@ctx/agent-adapter/langchain';
import { openStore } from '@ctx/store';
import { memoryBackend, type StoreBackend } from '@ctx/store/backend';
import { fsBackend } from '@ctx/store-fs';
import { sqliteBackend } from '@ctx/store-sqlite';
import { BaseStore, InMemoryStore } from '@langchain/langgraph-checkpoint';
import { describe, it } from 'vitest';
import { describeGraphStore } from './graph-store-suite/describe-graph-store.ts';
import type { GraphStore } from './graph-store-suite/graph-store-case.ts';

const runner = { describe, it };

/** The suite knows the batches that it makes; LangGraph infers their answers from them. */
function asTested(store: BaseStore): GraphStore {
  return store as unknown as GraphStore;
}

describeGraphStore({
  ...{ runner, title: "LangGraph's own store in memory" },
  create: async () => ({ store: asTested(new InMemoryStore()) }),
  // Checked before anything is put.
  supports: { atomicBatches: true },
});

const supports = {
  ownCopies: true,
  atomicBatches: true,
  queriesByWords: true,
  forgetsEmptyNamespaces: true,
  comparesTexts: true,
  comparesDeeply: true,
};

function ours(title: string, backendAt: (folder: string) => StoreBackend): void {
  describeGraphStore({
    ...{ runner, title, supports },
    create: async () => {
      const folder = await mkdtemp(path.join(tmpdir(), 'ctx-items-'));
      const store = await openStore(backendAt(folder));
      const close = async () => {
        await store.close();
        await rm(folder, { recursive: true });
      };
      return { store: asTested(createStore({ BaseStore, store })), close };
    },
  });
}

ours('ctx in memory', () => memoryBackend());
ours('ctx on SQLite', (folder) => sqliteBackend({ path: path.join(folder, 'ctx.db') }));
ours('ctx on files', (folder) => fsBackend({ path: path.join(folder, 'store') }));
