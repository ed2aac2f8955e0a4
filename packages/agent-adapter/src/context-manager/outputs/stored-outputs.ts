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
  /** Oldest first. Cost: the columns of all outputs of the session; `store.outputs.pointers` gives pages. */
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
  /** Forgets what is kept in memory; nothing that is stored. */
  clearPointers(): void;
  /** Deletes the outputs of this session, and of no other. Gives how many there were. */
  clearContextDir(): Promise<number>;
  /** Both. */
  clear(): Promise<number>;
  /** Number of stored outputs. */
  readonly size: Promise<number>;
  /** Where the outputs are: backend, tenant and session. */
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

/** Makes the methods. Cost: none until used. */
export function storedOutputs(
  store: ContextStore,
  sessionId: string,
  calls: RecordedCalls,
): Omit<StoredOutputs, 'size'> {
  const { outputs } = store;
  const clearContextDir = (): Promise<number> => outputs.clear(sessionId);
  return {
    // eslint-disable-next-line max-params -- the order of seed 000
    saveContext: async (toolName, args, result, taskId, queryId) => {
      const owner = {
        ...(taskId === undefined ? {} : { taskId: String(taskId) }),
        ...(queryId === undefined ? {} : { queryId }),
      };
      const { pointer } = await outputs.save({ sessionId, toolName, args, result, ...owner });
      store.sessions.observe(sessionId, { toolCall: { tool: toolName } });
      return pointer.id;
    },
    getAllPointers: () => allPointers(store, sessionId),
    getPointersForQuery: (queryId) => allPointers(store, sessionId, { queryId }),
    getPointersForTask: (taskId) => allPointers(store, sessionId, { taskId: String(taskId) }),
    loadContexts: async (ids) => {
      const found = await Promise.all(ids.map((id) => loadReadable(store, { id, sessionId })));
      return found.filter((output) => output !== undefined);
    },
    selectRelevantContexts: (prompt, pointers) =>
      selectRelevant(store, { sessionId, prompt }, pointers),
    hashQuery,
    clearPointers: () => {
      calls.forget();
    },
    clearContextDir,
    clear: () => {
      calls.forget();
      return clearContextDir();
    },
    getContextDir: () => `${store.backendName}:${store.tenant}/${sessionId}`,
  };
}
