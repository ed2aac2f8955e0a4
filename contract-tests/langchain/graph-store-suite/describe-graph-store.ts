import { batchCases } from './batch-cases.ts';
import type { GraphStore, GraphStoreCase, GraphStoreSupport } from './graph-store-case.ts';
import { itemCases } from './item-cases.ts';
import { namespaceCases } from './namespace-cases.ts';
import { searchCases } from './search-cases.ts';

/** What the suite needs of a test runner: `describe` and `it` of vitest, or of `node:test`. */
export interface GraphStoreRunner {
  readonly describe: (name: string, body: () => void) => unknown;
  readonly it: (
    name: string,
    body: (context: { readonly skip: (reason?: string) => void }) => Promise<void>,
  ) => unknown;
}

/** A store with nothing in it, and what takes it away. */
export interface FreshGraphStore {
  readonly store: GraphStore;
  readonly close?: () => Promise<void>;
}

export interface DescribeGraphStoreOptions {
  readonly runner: GraphStoreRunner;
  /** Called for each case. */
  readonly create: () => Promise<FreshGraphStore>;
  /** Default: nothing beyond the least. */
  readonly supports?: GraphStoreSupport;
  /** Title of the suite. Default `LangGraph store`. */
  readonly title?: string;
}

/** All cases, as data. */
export const graphStoreCases: readonly GraphStoreCase[] = [
  ...itemCases,
  ...searchCases,
  ...namespaceCases,
  ...batchCases,
];

function missing(
  { needs = [] }: GraphStoreCase,
  supports: GraphStoreSupport,
): keyof GraphStoreSupport | undefined {
  return needs.find((name) => supports[name] !== true);
}

async function runCase(graphCase: GraphStoreCase, { create }: DescribeGraphStoreOptions) {
  const { store, close } = await create();
  try {
    await graphCase.run(store);
  } finally {
    await close?.();
  }
}

/** Holds a store of LangGraph against what its users rely on: one test per case. Skipped is only what `supports` does not promise. */
export function describeGraphStore(options: DescribeGraphStoreOptions): void {
  const { runner, supports = {}, title = 'LangGraph store' } = options;
  const groups = new Set(graphStoreCases.map(({ group }) => group));
  runner.describe(title, () => {
    for (const group of groups) {
      runner.describe(group, () => {
        for (const each of graphStoreCases.filter((candidate) => candidate.group === group)) {
          runner.it(each.name, async (context) => {
            const lacking = missing(each, supports);
            if (lacking === undefined) await runCase(each, options);
            else context.skip(`does not promise ${lacking}`);
          });
        }
      });
    }
  });
}
