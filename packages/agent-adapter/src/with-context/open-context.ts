import type { ContextStore } from '@ctx/store';
import type { ModelProfile } from '@ctx/truncation';
import { checkName } from '../context-manager/check-options.ts';
import type { ContextManager } from '../context-manager/context-manager.ts';
import { createContextManager } from '../context-manager/create-context-manager.ts';
import type { ContextManagerOptions } from '../context-manager/manager-settings.ts';

/** How `withContext` works. Everything but `session` has a default. */
export interface ContextOptions
  extends Omit<ContextManagerOptions, 'store' | 'sessionId' | 'model'> {
  /** Name of the conversation. The same name goes on where it was, also in another process. */
  readonly session: string;
  /**
   * An open store, which stays open, or the URL of one, such as `sqlite:./ctx.db`. Default: the one that `ctx` shows, which is `ctx.db` in
   * the user's data folder unless `CTX_STORE` or a config names another.
   */
  readonly store?: ContextStore | string;
  /** Window and price of the model. Default: what the model table knows of its name. */
  readonly profile?: ModelProfile;
}

/** A session in use. */
export interface OpenContext extends AsyncDisposable {
  readonly manager: ContextManager;
  /** Ends the work with the session, and closes the store that was opened for it. Safe to call twice. */
  readonly end: () => Promise<void>;
}

/** A session in use, and the store that holds it. */
export interface OpenSession {
  readonly context: OpenContext;
  readonly store: ContextStore;
}

/**
 * What a caller without types may leave out, seen before anything is opened.
 * @throws `CTX_INVALID_OPTION`.
 */
export function checkSession(options: ContextOptions): void {
  checkName('session', (Object(options) as Partial<ContextOptions>).session);
}

/** Options that are refused leave no store open. */
async function managerOf(
  options: ContextManagerOptions,
  close: () => Promise<void> | undefined,
): Promise<ContextManager> {
  try {
    return createContextManager(options);
  } catch (error) {
    await close();
    throw error;
  }
}

/** Opens the session of the options, for a model of which a name is known. */
export async function openSession(
  allOptions: ContextOptions,
  modelName?: string,
): Promise<OpenSession> {
  checkSession(allOptions);
  const { session, store: given, profile, ...options } = allOptions;
  const isOwn = given === undefined || typeof given === 'string';
  const store = isOwn
    ? await (await import('../default-store/open-default-store.ts')).openDefaultStore(given)
    : given;
  const model = profile ?? modelName;
  const named = model === undefined ? {} : { model };
  const close = () => (isOwn ? store.close() : undefined);
  const manager = await managerOf({ ...options, ...named, store, sessionId: session }, close);
  let ending: Promise<void> | undefined;
  const end = (): Promise<void> => (ending ??= manager.end().finally(close));
  return { store, context: { manager, end, [Symbol.asyncDispose]: end } };
}

/** Opens the session of the options without its store. */
export async function openContext(
  options: ContextOptions,
  modelName?: string,
): Promise<OpenContext> {
  return (await openSession(options, modelName)).context;
}
