import type { Message } from '@ctx/core';
import type { Memory } from '@ctx/memory';
import type { EventHub } from '../manager-events.ts';
import type { ManagerSettings, MemoryOptions } from '../manager-settings.ts';
import { codeOf } from '../request/degradation.ts';
import type { SessionObserver } from './session-observer.ts';

/** The memory of a manager; what it takes is loaded with the first call. */
export interface ManagedMemory {
  readonly memory: Memory;
  /** Reads what came since the last time, if the user spoke last. */
  noted(messages: readonly Message[]): void;
  /** Waits until all was read. */
  finish(): Promise<void>;
}

function saysSomething(message: Message | undefined): boolean {
  return message?.role === 'user' && message.content.some(({ type }) => type === 'text');
}

/** Makes the memory of a manager's session. Does nothing until used. */
export function managedMemory(
  settings: ManagerSettings,
  options: MemoryOptions,
  hub: EventHub,
): ManagedMemory {
  const fail = (error: unknown): void => {
    hub.tell('degraded', { during: 'memory', code: codeOf(error), error });
  };
  let loading: Promise<SessionObserver> | undefined;
  const load = async (): Promise<SessionObserver> => {
    const { sessionObserver } = await import('./session-observer.ts');
    return sessionObserver(settings, options, fail);
  };
  const loaded = (): Promise<SessionObserver> => (loading ??= load());
  const memory = async (): Promise<Memory> => (await loaded()).memory;
  let last: Promise<unknown> = Promise.resolve();
  const queue = (): void => {
    last = last.then(async () => (await loaded()).readOn()).catch(fail);
  };
  return {
    memory: {
      observe: async (messages, place) => (await memory()).observe(messages, place),
      add: async (fact) => (await memory()).add(fact),
      recall: async (query, request) => (await memory()).recall(query, request),
      list: async (request) => (await memory()).list(request),
      get: async (fact) => (await memory()).get(fact),
      history: async (fact) => (await memory()).history(fact),
      correct: async (fact, correction) => (await memory()).correct(fact, correction),
      forget: async (fact) => (await memory()).forget(fact),
      block: async (request) => (await memory()).block(request),
      reembed: async (request) => (await memory()).reembed(request),
    },
    noted: (messages) => {
      if (saysSomething(messages.at(-1))) queue();
    },
    finish: async () => {
      queue();
      await last;
    },
  };
}
