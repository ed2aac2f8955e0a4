import type { Message } from '@ctx/core';
import type { ContextManager } from '../context-manager.ts';
import type { Prepared, RequestSettings } from './prepared.ts';

type Prepare = ContextManager['prepare'];

const sharedPrepares = new WeakMap<ContextManager, Prepare>();

/** Registers how a manager prepares without copies. */
export function registerSharedPrepare(manager: ContextManager, prepare: Prepare): void {
  sharedPrepares.set(manager, prepare);
}

/**
 * Prepares a request of the very objects that the manager keeps: a message that did not change is the object that was given. For adapters,
 * which write what a host gets of it.
 */
export function prepareShared(
  manager: ContextManager,
  messages: readonly Message[],
  settings?: RequestSettings,
): Promise<Prepared> {
  const prepare = sharedPrepares.get(manager);
  return prepare === undefined ? manager.prepare(messages, settings) : prepare(messages, settings);
}
