import { sequenceIds } from '@ctx/core';
import { type ContextStore, openStore } from '@ctx/store';
import { createMemoryPlace, memoryBackend } from '@ctx/store/backend';
import { describeCall } from '../../calls/describe-call.ts';
import { tokensOf } from '../../window/test-support/test-window.ts';
import { type WindowPolicy, windowPolicy } from '../../window/window-policy.ts';
import { openSessionWindow } from '../open-session-window.ts';
import type { SessionWindow, SessionWindowOptions } from '../session-window.ts';

/** Small numbers, so that short histories reach every rule. */
export const smallPolicy: WindowPolicy = windowPolicy('default', {
  reserveTokens: 200,
  tailTokens: 600,
  coldTailTokens: 200,
  freeFloorTokens: 20,
  economicFloorTokens: 100,
  inputStubTokens: 50,
  holdTokens: 800,
  offloadFromTokens: 300,
  previewTokens: 60,
});

/** A store whose clock stands still. Its ids are numbered; how many it takes is its own business. */
export interface TestPlace {
  readonly place: ReturnType<typeof createMemoryPlace>;
  readonly store: ContextStore;
  /** Another process that opens the same store. */
  readonly reopen: () => Promise<ContextStore>;
}

export async function testPlace(): Promise<TestPlace> {
  const place = createMemoryPlace();
  const ids = sequenceIds();
  const open = (): Promise<ContextStore> =>
    openStore(memoryBackend({ place }), { ids, clock: () => 1_700_000_000_000 });
  return { place, store: await open(), reopen: open };
}

/** The sizes that a test's session begins with. When it is opened again, the log knows them. */
export const firstSizes = { windowTokens: 4000, fixedTokens: 50 } as const;

/** A window of session `s` with small numbers. */
export function testSession(
  store: ContextStore,
  changes: Partial<SessionWindowOptions> = {},
): Promise<SessionWindow> {
  return openSessionWindow({
    sessionId: 's',
    store,
    policy: smallPolicy,
    tokensOf,
    previewText: ({ text, pointer, previewTokens }) =>
      `${text.slice(0, previewTokens)}\n[preview, whole at ${pointer}]`,
    describeCall,
    ...changes,
  });
}
