import { setFlagsFromString } from 'node:v8';

/** What of V8 can still be set in a process that runs. */
export const heapFlags = {
  /** Young objects keep the room that they have; the old are collected as soon as there are 60 % more than after the last time. */
  small: ['--semi-space-growth-factor=1', '--heap-growing-percent=60'],
  /** As V8 begins: requests of a megabyte let the one grow to 32 MB, and the other to three times what is held. */
  usual: ['--semi-space-growth-factor=2', '--heap-growing-percent=0'],
} as const;

/** Keeps the heap of this process small, at a tenth more of processor time. Returns how to let it grow again. */
export function keepHeapSmall(): () => void {
  for (const flag of heapFlags.small) setFlagsFromString(flag);
  return () => {
    // V8 takes no kept code that was compiled under other flags.
    for (const flag of heapFlags.usual) setFlagsFromString(flag);
  };
}
