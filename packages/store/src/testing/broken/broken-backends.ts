import type { BrokenBackend } from './broken-backend.ts';
import { brokenListBackends } from './broken-lists.ts';
import { brokenReadings } from './broken-reads.ts';
import { brokenWritings } from './broken-writes.ts';

/** Each of them must fail its case. */
export const brokenBackends: readonly BrokenBackend[] = [
  ...brokenReadings,
  ...brokenWritings,
  ...brokenListBackends,
];
