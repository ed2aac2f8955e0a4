import type { AutomaticCompactionReceipt } from '../compaction/compaction-outcome.ts';
import type { CacheMiss, Flush } from '@ctx/truncation';
import type { PrepareReceipt } from './prepared.ts';
import type { RecordedOutput } from '../record-tool-output.ts';
import type { FlashSaveReceipt } from '@ctx/core';

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
  /** Something failed and the agent went on without it. */
  readonly degraded: Degradation;
}

/** What was done without, and why. */
export interface Degradation {
  /** What was asked for. */
  readonly during: 'record' | 'prepare' | 'observe' | 'compact' | 'flash-save' | 'listener';
  /** Code of a `CtxError`, else the name of the error. */
  readonly code: string;
  readonly error: unknown;
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

/** The code of an error of ctx, the name of any other. */
export function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name;
}

/** Contract: what a listener throws reaches the listeners of `degraded` and nobody else. */
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
