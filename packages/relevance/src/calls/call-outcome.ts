import { exitCodeOf } from './exit-code.ts';
import { hasFailed } from './has-failed.ts';

/** Reads from the result of a call how it ended. */
export const callOutcome = { exitCode: exitCodeOf, hasFailed } as const;
