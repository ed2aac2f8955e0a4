import { type ReplayPolicy, replayPolicies } from '@ctx/replay';
import { type WindowMode, type WindowPolicy, windowModes } from '@ctx/truncation';

/** A way to make a conversation fit. */
export interface FitPolicy {
  readonly name: string;
  /** What the window does with what has to leave. */
  readonly window: WindowPolicy;
  /** Goes over the conversation first, as it would have in the session. What it takes out is kept, too. */
  readonly first?: ReplayPolicy;
}

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
];

const others = replayPolicies.filter(
  ({ name, needsHindsight }) =>
    needsHindsight !== true && own.every((policy) => policy.name !== name),
);

/** The policies of `ctx fit`: the window's modes, and every policy that `ctx replay` knows, before the window forces the rest. */
export const fitPolicies: readonly FitPolicy[] = [
  ...own,
  ...others.map((first) => ({ name: first.name, window: untouched, first })),
];
