import type { WindowPolicy } from '@ctx/truncation';

/** Whether the provider edits the context: then only what the window forces leaves by us. */
export interface FlushHold {
  isHeld: boolean;
}

/** A policy under which nothing leaves because it pays, or because the cache is cold, and no thinking at all, while `hold` is held. */
export function holdablePolicy(policy: WindowPolicy, hold: FlushHold): WindowPolicy {
  return {
    ...policy,
    get economicFloorTokens() {
      return hold.isHeld ? Infinity : policy.economicFloorTokens;
    },
    get thinking() {
      return hold.isHeld ? 'stays' : policy.thinking;
    },
    get freeFloorTokens() {
      return hold.isHeld ? Infinity : policy.freeFloorTokens;
    },
  };
}
