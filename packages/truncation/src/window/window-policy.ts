import { CtxError } from '@ctx/core';

/** What a call and its result become when they leave: one line, or a call that stays with a short result. */
export type LeavingForm = 'ledger' | 'stub';

/** Which lines of a file bear their numbers: all that did, or those that tell the others'. */
export type LineNumbers = 'all' | 'tenths';

/** When content leaves the request, and what stays of it. Each default stands in {@link windowModes}. */
export interface WindowPolicy {
  /** Least room kept for the answer, tokens; never over an eighth of the window. A request that may be answered at length gets more. Default 8,000. */
  readonly reserveTokens: number;
  /** A pass that the window forces goes on to this share of what fits. Default 0.75. */
  readonly lowMarkShare: number;
  /** The newest tokens of the log, in which only the window itself can force out a file that was read. Default 2,000. */
  readonly tailTokens: number;
  /** The same for results that are no file, such as those of shells and searches. Default 2,600. */
  readonly otherTailTokens: number;
  /** The same for the input of an edit; its result goes on being shown. Default 2,000. */
  readonly editTailTokens: number;
  /** The newest tokens that nothing leaves at a moment when the cache is cold. Default 1,000. */
  readonly coldTailTokens: number;
  /** The newest tokens of the log, in which results of edits, and parts of large reads, are shown. Default 5,000. */
  readonly partTailTokens: number;
  /** Results over this size are shown in part by the lines that tell most, tokens. Default 2,900. */
  readonly partFromTokens: number;
  /** How much of such a result is shown. Default 0.2. */
  readonly partShare: number;
  /** Least tokens that leave when the cache is cold. Default 1,000. */
  readonly freeFloorTokens: number;
  /** Least tokens that leave because it pays. Default 4,000. */
  readonly economicFloorTokens: number;
  /** How many times its penalty a flush must have cost by not being made. Default 3. */
  readonly patience: number;
  readonly form: LeavingForm;
  /** Whether thinking leaves, with its signature, when its turn is over and its calls leave. That of the running turn always stays. Default `leaves`. */
  readonly thinking: 'leaves' | 'stays';
  /** Whether results leave that are errors or hold more than text, such as an image, while there is room for them. Default `leave`. */
  readonly exceptions: 'leave' | 'stay';
  /** Whether results may come in shorter than they are. `whole` where they were sent already. Default `shaped`. */
  readonly arrivals: 'shaped' | 'whole';
  /** In the stub form, inputs over this size become stubs, too, tokens. Default 1,000. */
  readonly inputStubTokens: number;
  /** Most tokens of the newest reads of files at work that stay although they left the tail, 0 for none. Default 19,000. */
  readonly holdTokens: number;
  /** The same as a share of the window; the smaller one counts. Default 0.4. */
  readonly holdShare: number;
  /** For how many calls after its last read or edit a file is at work; one that the task or the newest words of the user name is, too. Default 36. */
  readonly workCalls: number;
  /** The same for a file that a call changed: who changed it is likely to change it again. Default 125. */
  readonly editedWorkCalls: number;
  /**
   * At a moment when the cache is cold, a read of a file at work stays while keeping it costs no more than this many times what
   * reading it again would: a request of its own. Default 1.
   */
  readonly rereadWeight: number;
  /** Reads of files at work up to this size stay whole, tokens. Default 6,000. */
  readonly workReadTokens: number;
  /** Diffs, searches and outputs with several files up to this size come in whole, tokens. Default 12,000. */
  readonly sourceUpToTokens: number;
  /**
   * Whether a file that comes in with a number before each line, as `cat -n` does it, keeps those of every tenth line only. No
   * line is lost. `all` where tools ask for lines by number. Default `tenths`.
   */
  readonly lineNumbers: LineNumbers;
  /** Results over this size become a preview when they come in, tokens; file reads do not. Default 3,000. */
  readonly offloadFromTokens: number;
  /** Size of the preview, tokens. Default 600. */
  readonly previewTokens: number;
  /** Everything over this share of the free room becomes a preview, file reads too. Default 0.5. */
  readonly hardCapShare: number;
  /** Numbers that hold instead in windows of some sizes. Default: from 48,000 to 100,000 tokens, less leaves early and more at once. */
  readonly smallWindow?: SmallWindow | undefined;
}

type TailName = Extract<keyof WindowPolicy, 'tailTokens' | `${string}TailTokens`>;

/** How much of the newest stays whole, by kind of content, tokens. */
export type WindowTails = Pick<WindowPolicy, TailName>;

/** Returns tails that are all of one size. */
export function equalTails(tokens: number): WindowTails {
  return {
    tailTokens: tokens,
    otherTailTokens: tokens,
    editTailTokens: tokens,
    coldTailTokens: tokens,
    partTailTokens: tokens,
  };
}

/** What is different where the window is small. */
export interface SmallWindow {
  /** The smallest window that is meant, tokens. Below it there is too little to leave more of it at once. */
  readonly fromTokens: number;
  /** Windows of this size are not small any more, tokens. */
  readonly belowTokens: number;
  /** The numbers that hold instead. */
  readonly numbers: Partial<Omit<WindowPolicy, 'smallWindow'>>;
}

/** The ways of working that ctx ships. */
export type WindowMode = 'default' | 'thrifty' | 'evidence';

const standard: WindowPolicy = {
  reserveTokens: 8000,
  lowMarkShare: 0.75,
  tailTokens: 2000,
  otherTailTokens: 2600,
  editTailTokens: 2000,
  coldTailTokens: 1000,
  partTailTokens: 5000,
  partFromTokens: 2900,
  partShare: 0.2,
  freeFloorTokens: 1000,
  economicFloorTokens: 4000,
  patience: 3,
  form: 'ledger',
  thinking: 'leaves',
  exceptions: 'leave',
  arrivals: 'shaped',
  inputStubTokens: 1000,
  holdTokens: 19_000,
  holdShare: 0.4,
  workCalls: 36,
  editedWorkCalls: 125,
  rereadWeight: 1,
  workReadTokens: 6000,
  sourceUpToTokens: 12_000,
  lineNumbers: 'tenths',
  offloadFromTokens: 3000,
  previewTokens: 600,
  hardCapShare: 0.5,
};

/**
 * A window that is soon full forces a pass in any case: nothing leaves before it has to or the cache is cold, and then much leaves at once,
 * down to `lowMarkShare`. So a change is rare, and what is sent again for it is little beside what the cache answers.
 */
function small(numbers: SmallWindow['numbers'] & Pick<WindowPolicy, 'lowMarkShare'>): SmallWindow {
  return { fromTokens: 48_000, belowTokens: 100_000, numbers: { patience: 1000, ...numbers } };
}

/**
 * The only place where these numbers stand. Source: about 90 variants on five sets of recorded sessions, each set apart, eight of them
 * also with their sizes varied by 15 %; the numbers were chosen on the sets they are reported for (docs/window-modes.md).
 */
export const windowModes: Readonly<Record<WindowMode, WindowPolicy>> = {
  default: { ...standard, smallWindow: small({ lowMarkShare: 0.5 }) },
  thrifty: {
    ...standard,
    patience: 2,
    workCalls: 25,
    holdTokens: 15_000,
    rereadWeight: 0.7,
    smallWindow: small({ lowMarkShare: 0.2 }),
  },
  evidence: {
    ...standard,
    workCalls: 40,
    editedWorkCalls: 120,
    workReadTokens: 10_000,
    holdTokens: 30_000,
    rereadWeight: 4,
    editTailTokens: 4000,
    tailTokens: 8000,
    otherTailTokens: 8000,
    coldTailTokens: 5000,
    partTailTokens: 40_000,
    partShare: 0.5,
    offloadFromTokens: 4000,
    // Its tails would fill such a window.
    smallWindow: small({
      ...{ lowMarkShare: 0.65, coldTailTokens: 2000, partTailTokens: 22_500, partShare: 0.3 },
    }),
  },
};

const shares = ['lowMarkShare', 'partShare', 'holdShare', 'hardCapShare'] as const;

/** The fields that are no numbers, and what they may be. */
const choices: ReadonlyMap<string, readonly string[]> = new Map([
  ['form', ['ledger', 'stub']],
  ['lineNumbers', ['all', 'tenths']],
  ['thinking', ['leaves', 'stays']],
  ['exceptions', ['leave', 'stay']],
  ['arrivals', ['shaped', 'whole']],
]);

function problemOf({ smallWindow: _small, ...policy }: WindowPolicy): string | undefined {
  for (const [name, value] of Object.entries(policy)) {
    const allowed = choices.get(name);
    if (allowed?.includes(String(value)) === false)
      return `${name} must be ${allowed.join(' or ')}`;
    if (allowed === undefined && !(Number(value) >= 0)) return `${name} must be 0 or more`;
  }
  const share = shares.find((name) => policy[name] <= 0 || policy[name] > 1);
  if (share !== undefined) return `${share} must be over 0 and at most 1`;
  if (policy.coldTailTokens > policy.tailTokens)
    return 'coldTailTokens must not be over tailTokens';
  if (policy.previewTokens >= policy.offloadFromTokens)
    return 'previewTokens must be below offloadFromTokens';
  return undefined;
}

/** What is asked for in so many words holds in small windows, too. */
function changeMode(mode: WindowMode, changes: Partial<WindowPolicy>): WindowPolicy {
  const policy = { ...windowModes[mode], ...changes };
  const { smallWindow } = policy;
  if (smallWindow === undefined || 'smallWindow' in changes) return policy;
  return {
    ...policy,
    smallWindow: { ...smallWindow, numbers: { ...smallWindow.numbers, ...changes } },
  };
}

/**
 * Takes a mode, with changes to it; they hold in small windows, too, unless they name a `smallWindow` of their own.
 * @throws `CTX_INVALID_OPTION` naming the field that makes no sense.
 */
export function windowPolicy(
  mode: WindowMode = 'default',
  changes: Partial<WindowPolicy> = {},
): WindowPolicy {
  const policy = changeMode(mode, changes);
  const problem = problemOf(policy) ?? problemOf({ ...policy, ...policy.smallWindow?.numbers });
  if (problem !== undefined) throw new CtxError('CTX_INVALID_OPTION', `window policy: ${problem}`);
  return policy;
}

/**
 * Tokens that a request may have: the window without the room for the answer. `answerTokens`: how long the answer may be, where the
 * request says so. Never less room than the policy's, which covers what estimates are off, and never more than half of the window.
 */
export function limitTokensOf(
  policy: WindowPolicy,
  windowTokens: number,
  answerTokens = 0,
): number {
  const usual = Math.min(policy.reserveTokens, Math.floor(windowTokens / 8));
  const asked = Math.min(answerTokens, Math.floor(windowTokens / 2));
  return Math.floor(windowTokens - Math.max(usual, asked));
}
