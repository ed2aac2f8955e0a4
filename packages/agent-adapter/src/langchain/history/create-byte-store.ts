import { CtxError } from '@ctx/core';
import { decodeValue, encodeValue } from '@ctx/core/encoding';
import { type ContextStore, collections } from '@ctx/store';
import type { StoredRecord } from '@ctx/store/backend';

/** What a byte store can do beyond what LangChain asks for. */
export interface ByteStoreExtras {
  /** Removes everything of its space. */
  clear(): Promise<void>;
}

/** What a byte store is made of. */
export interface CreateByteStoreOptions<Instance> {
  /** `BaseStore` of `@langchain/core/stores`. */
  readonly BaseStore: abstract new () => Instance;
  readonly store: ContextStore;
  /** Names in one space are not seen from another. Default `default`. */
  readonly space?: string;
}

function bytesOf(record: StoredRecord): Uint8Array {
  const value = decodeValue(JSON.parse(record.body));
  if (value instanceof Uint8Array) return value;
  throw new CtxError('CTX_STORE_CORRUPT', `bytes ${record.key.join(' / ')} cannot be read`);
}

/** Calls of the four methods, on one space. */
function byteSpace(store: ContextStore, space: string) {
  const named = store.records.collection(collections.namedBytes);
  return {
    get: async (names: readonly string[]) => {
      const records = await named.getMany(names.map((name) => [space, name]));
      return records.map((record) => record && bytesOf(record));
    },
    set: async (pairs: readonly (readonly [string, Uint8Array])[]) => {
      const puts = pairs.map(([name, bytes]) =>
        named.put({
          key: [space, name],
          columns: { at: store.clock(), bytes: bytes.byteLength },
          body: JSON.stringify(encodeValue(bytes)),
        }),
      );
      if (puts.length > 0) await store.records.write(puts);
    },
    remove: async (names: readonly string[]) => {
      const removals = names.map((name) => named.remove({ key: [space, name] }));
      if (removals.length > 0) await store.records.write(removals);
    },
    names: async function* (prefix: string): AsyncGenerator<string> {
      const range = prefix === '' ? {} : { range: { from: prefix } };
      const query = { index: 'key', equal: [space], part: 'columns', ...range } as const;
      for await (const { key } of named.scan(query)) {
        const [, name = ''] = key;
        if (!name.startsWith(prefix)) return;
        yield name;
      }
    },
  };
}

type StoreClass = new () => object;

/**
 * Makes a byte store for LangChain on any store, as its caches of embeddings and documents take one.
 * What is set together is kept together or not at all; keys come in order. Names have 1,024 bytes at most.
 */
export function createByteStore<Instance extends object>({
  BaseStore,
  store,
  space = 'default',
}: CreateByteStoreOptions<Instance>): Instance & ByteStoreExtras {
  const bytes = byteSpace(store, space);
  // The class is the host's: it only asks for these methods.
  const Base = BaseStore as unknown as StoreClass;
  class CtxByteStore extends Base implements ByteStoreExtras {
    readonly lc_namespace: string[] = ['ctx', 'byte_store'];

    async mget(names: readonly string[]): Promise<(Uint8Array | undefined)[]> {
      return bytes.get(names);
    }

    async mset(pairs: readonly (readonly [string, Uint8Array])[]): Promise<void> {
      await bytes.set(pairs);
    }

    async mdelete(names: readonly string[]): Promise<void> {
      await bytes.remove(names);
    }

    async *yieldKeys(prefix = ''): AsyncGenerator<string> {
      yield* bytes.names(prefix);
    }

    async clear(): Promise<void> {
      const names: string[] = [];
      for await (const name of bytes.names('')) names.push(name);
      await bytes.remove(names);
    }
  }
  // It has the methods that the abstract class leaves open; contract tests hold its type against the host's.
  return new CtxByteStore() as unknown as Instance & ByteStoreExtras;
}
