import { CtxError } from '@ctx/core';
import type { CollectionDefinition, OpenOptions, StoreBackend } from '../store-backend.ts';
import { checkCollections } from './check-definition.ts';
import { invalidInput } from './check-value.ts';

interface Work<State> {
  /** As errors call the store: `the file store`. */
  readonly name: string;
  /** Opens it. The definitions are checked, and copies. */
  readonly open: (
    collections: readonly CollectionDefinition[],
    options: OpenOptions,
  ) => Promise<State>;
  /** Ends what is open, once; without a state where nothing was. */
  readonly close: (state: State | undefined) => Promise<void>;
}

interface Life<State> extends Pick<StoreBackend, 'open' | 'close'> {
  /** Throws `CTX_STORE_CLOSED` before `open` and after `close`. */
  readonly opened: () => State;
  readonly isClosed: () => boolean;
}

/** Returns the life of a backend: it is opened once, and closed for good. An open that failed may be tried again. */
export function backendLife<State>(work: Work<State>): Life<State> {
  let phase: 'new' | 'opening' | 'open' | 'closed' = 'new';
  let state: State | undefined;
  let opening: Promise<State> | undefined;

  const opened = (): State => {
    if (phase === 'open' && state !== undefined) return state;
    const reason = phase === 'closed' ? 'is closed' : 'is not open yet';
    throw new CtxError('CTX_STORE_CLOSED', `${work.name} ${reason}`);
  };
  return {
    opened,
    isClosed: () => phase === 'closed',
    async open(collections, options = {}) {
      if (phase === 'closed') opened();
      if (phase !== 'new') throw invalidInput(`${work.name} is open already`);
      checkCollections(collections);
      phase = 'opening';
      opening = work.open(structuredClone(collections), { ...options });
      try {
        state = await opening;
        phase = 'open';
      } catch (error) {
        phase = 'new';
        throw error;
      }
    },
    async close() {
      // An open that is under way ends first, so that it leaves nothing open.
      await opening?.catch(() => undefined);
      if (phase === 'closed') return;
      phase = 'closed';
      const before = state;
      state = undefined;
      await work.close(before);
    },
  };
}
