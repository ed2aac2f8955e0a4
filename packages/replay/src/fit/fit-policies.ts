import type { FitPolicy } from '@ctx/truncation';
import { type WindowMode, type WindowPolicy, windowModes } from '@ctx/truncation';
import { replayPolicies } from '../policies/replay-policies.ts';
import type { PolicyContext } from '../replay-policy.ts';
import { viewOfPolicy } from './policy-view.ts';

/** Fills the whole budget. */
function filling(mode: WindowMode): WindowPolicy {
  return { ...windowModes[mode], lowMarkShare: 1 };
}

/** Changes nothing that is not forced out: results stay whole, whatever their size. */
const untouched: WindowPolicy = {
  ...filling('default'),
  offloadFromTokens: Number.MAX_SAFE_INTEGER,
  hardCapShare: 1,
};

const own: readonly FitPolicy[] = [
  { name: 'ctx', window: filling('default') },
  // Leaves a quarter of the budget free for what comes.
  { name: 'ctx-thrifty', window: windowModes.thrifty },
  { name: 'ctx-evidence', window: filling('evidence') },
  { name: 'ctx-proxy', window: { ...filling('default'), exceptions: 'stay' } },
];

const others = replayPolicies.filter(
  ({ name, needsHindsight }) =>
    needsHindsight !== true && own.every((policy) => policy.name !== name),
);

/** Returns the policies of a fit: the window's modes, and every policy that a replay knows, before the window forces the rest. */
export function fitPoliciesWith(compactWindow: PolicyContext['compactWindow']): FitPolicy[] {
  const first = others.map((policy) => ({
    name: policy.name,
    window: untouched,
    first: viewOfPolicy(policy, compactWindow),
  }));
  return [...own, ...first];
}
