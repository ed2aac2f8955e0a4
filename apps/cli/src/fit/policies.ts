import { automaticCompaction } from '@ctx/agent-adapter';
import { fitPoliciesWith } from '@ctx/replay';
import type { FitPolicy } from '@ctx/truncation';

/** The policies of `ctx fit`. */
export const fitPolicies: readonly FitPolicy[] = fitPoliciesWith(automaticCompaction);
