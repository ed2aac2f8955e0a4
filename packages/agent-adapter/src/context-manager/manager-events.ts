import type { FlashSaveReceipt } from '@ctx/store';
import type { RecordedOutput } from '@ctx/truncation';
import type { AutomaticCompactionReceipt } from '../compaction/compaction-outcome.ts';
import type { ManagerCheckpoint, ManagerRestored } from './checkpoints/manager-checkpoints.ts';
import { codeOf, type Degradation } from './request/degradation.ts';
import type { PrepareReceipt } from './request/prepared.ts';
import type { CacheMiss, Flush } from './window-types.ts';

/** What a context manager tells of, by name. */
export interface ManagerEvents {
  /** A tool output was stored. */
  readonly recorded: { readonly callId: string; readonly output: RecordedOutput };
  /** A request was made. */
  readonly prepared: PrepareReceipt;
  /** Something left the request. */
  readonly flushed: Flush;
  readonly compacted: AutomaticCompactionReceipt;
  /** The provider had less in its cache than the last request put there. */
  readonly 'cache-miss': CacheMiss;
  readonly 'flash-saved': FlashSaveReceipt;
  /** A moment got a name. */
  readonly checkpointed: ManagerCheckpoint;
  /** The session went back to a moment. */
  readonly restored: ManagerRestored;
  /** The work with this session is over. */
  readonly ended: { readonly keep: boolean };
  /** Something failed and the agent went on without it. */
  readonly degraded: Degradation;
}

type Listener<Event> = (event: Event) => void;

/** Tells listeners. */
export interface EventHub {
  on<Name extends keyof ManagerEvents>(
    name: Name,
    listener: Listener<ManagerEvents[Name]>,
  ): () => void;
  tell<Name extends keyof ManagerEvents>(name: Name, event: ManagerEvents[Name]): void;
}

/** What a listener throws reaches only the listeners of `degraded`. */
export function createEventHub(): EventHub {
  const listeners = new Map<keyof ManagerEvents, Set<Listener<never>>>();
  const tell = (name: keyof ManagerEvents, event: unknown): void => {
    for (const listener of listeners.get(name) ?? []) {
      try {
        // A listener is kept under the name of the event that it takes.
        listener(event as never);
      } catch (error) {
        if (name !== 'degraded')
          tell('degraded', { during: 'listener', code: codeOf(error), error });
      }
    }
  };
  return {
    tell,
    on: (name, listener) => {
      const known = listeners.get(name) ?? new Set();
      listeners.set(name, known);
      known.add(listener);
      return () => {
        known.delete(listener);
      };
    },
  };
}
