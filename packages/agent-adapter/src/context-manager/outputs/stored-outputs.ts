import { type ContextPointer, isCtxError, type ToolOutput } from '@ctx/core';
import type { ContextStore } from '@ctx/store';
import type { RecordedCalls } from '@ctx/truncation';
import { hashQuery } from './hash-query.ts';

/**
 * The methods of seed 000 and 001, on the outputs of one session. Pointers are read from the store, so they are there again after
 * a restart; an id takes the place of a file's path.
 */
export interface StoredOutputs {
  /** Keeps what a tool returned and gives its id. */
  saveContext(
    toolName: string,
    args: unknown,
    result: unknown,
    ...owner: readonly [taskId?: string | number, queryId?: string]
  ): Promise<string>;
  /** Oldest first. Reads the columns of all outputs of the session; `store.outputs.pointers` gives pages. */
  getAllPointers(): Promise<readonly ContextPointer[]>;
  getPointersForQuery(queryId: string): Promise<readonly ContextPointer[]>;
  getPointersForTask(taskId: string | number): Promise<readonly ContextPointer[]>;
  /** The whole outputs, in the order of the ids; one that is unknown or damaged is left out with a warning (`CTX_NOT_LOADED`). */
  loadContexts(ids: readonly string[]): Promise<readonly ToolOutput[]>;
  /** Ids of the pointers that answer a query, best first; the newest few where none does. */
  selectRelevantContexts(
    query: string,
    pointers?: readonly ContextPointer[],
  ): Promise<readonly string[]>;
  hashQuery(query: string): string;
  /**
   * Empties the list of pointers, as in the seed: those of before are no longer given, counted or selected by this manager. What is stored
   * stays, and `loadContexts` reads it by its id.
   */
  clearPointers(): void;
  /** Deletes the outputs of this session, and of no other. Gives how many there were. */
  clearContextDir(): Promise<number>;
  /** Both. */
  clear(): Promise<number>;
  /**
   * Number of pointers that this manager's `saveContext` and `recordToolOutput` saved and its getters read. `getAllPointers` reads the others,
   * too: those of before a restart, and of results that came with a history.
   */
  readonly size: number;
  /**
   * Where the outputs are, as text for a person: `store-fs:default/my-session` is backend, tenant and session. It is no path: a store in
   * files keeps them below its own folder, and other stores have none.
   */
  getContextDir(): string;
}

type Owner = { readonly queryId?: string; readonly taskId?: string };

const maxPageSize = 1000;

async function allPointers(
  { outputs }: ContextStore,
  sessionId: string,
  owner: Owner = {},
): Promise<readonly ContextPointer[]> {
  const pointers: ContextPointer[] = [];
  let after: string | undefined;
  do {
    const place = after === undefined ? {} : { after };
    const page = await outputs.pointers({ sessionId, limit: maxPageSize, ...owner, ...place });
    pointers.push(...page.entries);
    after = page.next;
  } while (after !== undefined);
  return pointers;
}

async function selectRelevant(
  { outputs }: ContextStore,
  { sessionId, prompt }: { readonly sessionId: string; readonly prompt: string },
  pointers: readonly ContextPointer[] | undefined,
): Promise<readonly string[]> {
  const { selected } = await outputs.relevant({
    ...{ sessionId, prompt },
    ...(pointers === undefined ? {} : { maxResults: maxPageSize, maxTokens: Infinity }),
  });
  const wanted = pointers && new Set(pointers.map(({ id }) => id));
  const ids = selected.map(({ pointer }) => pointer.id);
  return wanted === undefined ? ids : ids.filter((id) => wanted.has(id));
}

/** Loads an output. One that is missing or damaged is left out with a warning, so that the others are not lost with it. */
async function loadReadable(
  { outputs }: ContextStore,
  name: { readonly id: string; readonly sessionId: string },
): Promise<ToolOutput | undefined> {
  const warn = (what: string): void => {
    process.emitWarning(`loadContexts left out ${name.id}: ${what}`, { code: 'CTX_NOT_LOADED' });
  };
  try {
    const output = await outputs.load(name);
    if (output === undefined) warn('no such output is stored');
    return output;
  } catch (error) {
    if (!isCtxError(error, 'CTX_STORE_CORRUPT')) throw error;
    warn(error.message);
    return undefined;
  }
}

/** The pointers of a session, from the last time on that they were cleared. */
interface KnownPointers {
  /** Waits until it is settled which pointers are of before a clearing: what is saved from then on is new. */
  settled(): Promise<unknown>;
  read(owner?: Owner): Promise<readonly ContextPointer[]>;
  add(id: string): void;
  clear(): void;
  /** Everything was deleted. */
  empty(): void;
  isCleared(): boolean;
  size(): number;
}

function knownPointers(store: ContextStore, sessionId: string): KnownPointers {
  const known = new Set<string>();
  let newestCleared: Promise<number> | undefined;
  const read: KnownPointers['read'] = async (owner = {}) => {
    const last = (await newestCleared) ?? -1;
    const all = await allPointers(store, sessionId, owner);
    const pointers = all.filter(({ sequence }) => sequence > last);
    for (const { id } of pointers) known.add(id);
    return pointers;
  };
  return {
    read,
    settled: () => Promise.resolve(newestCleared),
    add: (id) => {
      known.add(id);
    },
    clear: () => {
      known.clear();
      newestCleared = allPointers(store, sessionId).then((all) => all.at(-1)?.sequence ?? -1);
      // Whoever reads next is told of a failure.
      newestCleared.catch(() => undefined);
    },
    empty: () => {
      known.clear();
    },
    isCleared: () => newestCleared !== undefined,
    size: () => known.size,
  };
}

/** The methods, and what counts for `size`. */
export interface OutputMethods {
  readonly methods: Omit<StoredOutputs, 'size'>;
  /** Counts an output that was saved otherwise. */
  noted(id: string): void;
  size(): number;
}

/** Makes the methods. Does nothing until used. */
export function storedOutputs(
  store: ContextStore,
  sessionId: string,
  calls: RecordedCalls,
): OutputMethods {
  const known = knownPointers(store, sessionId);
  return {
    methods: outputMethods({ store, sessionId, calls, known }),
    noted: (id) => {
      known.add(id);
    },
    size: () => known.size(),
  };
}

interface Methods {
  readonly store: ContextStore;
  readonly sessionId: string;
  readonly calls: RecordedCalls;
  readonly known: KnownPointers;
}

function outputMethods({ store, sessionId, calls, known }: Methods): Omit<StoredOutputs, 'size'> {
  const { outputs } = store;
  const clearContextDir = async (): Promise<number> => {
    const deleted = await outputs.clear(sessionId);
    known.empty();
    return deleted;
  };
  return {
    // eslint-disable-next-line max-params -- the order of seed 000
    saveContext: async (toolName, args, result, taskId, queryId) => {
      const owner = {
        ...(taskId === undefined ? {} : { taskId: String(taskId) }),
        ...(queryId === undefined ? {} : { queryId }),
      };
      await known.settled();
      const { pointer } = await outputs.save({ sessionId, toolName, args, result, ...owner });
      known.add(pointer.id);
      store.sessions.observe(sessionId, { toolCall: { tool: toolName } });
      return pointer.id;
    },
    getAllPointers: () => known.read(),
    getPointersForQuery: (queryId) => known.read({ queryId }),
    getPointersForTask: (taskId) => known.read({ taskId: String(taskId) }),
    loadContexts: async (ids) => {
      const found = await Promise.all(ids.map((id) => loadReadable(store, { id, sessionId })));
      return found.filter((output) => output !== undefined);
    },
    selectRelevantContexts: async (prompt, pointers) => {
      const among = pointers ?? (known.isCleared() ? await known.read() : undefined);
      return selectRelevant(store, { sessionId, prompt }, among);
    },
    hashQuery,
    clearPointers: () => {
      calls.forget();
      known.clear();
    },
    clearContextDir,
    clear: () => {
      calls.forget();
      return clearContextDir();
    },
    getContextDir: () => `${store.backendName}:${store.tenant}/${sessionId}`,
  };
}
