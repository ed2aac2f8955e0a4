import { type Message, unitsOf } from '@ctx/core';
import { type CompactionPolicy, compactionPolicy } from './compaction-policy.ts';
import { summaryRecordOf } from './summary-message.ts';

/** Why nothing is compacted. */
export type NoCompactionReason = 'under-target' | 'nothing-leaves' | 'too-little-leaves';

/** What would be compacted. Plain data; positions are indexes into the messages. */
export interface CompactionPlan {
  /** Why there is nothing to do; absent where there is. */
  readonly reason?: NoCompactionReason;
  /** The first message after what always stays: leading system messages and the first message of the user. */
  readonly start: number;
  /** The first message of the tail, which stays. Messages from `start` to before it leave. */
  readonly end: number;
  /** Messages of the system between `start` and `end`: they stay. */
  readonly keptSystem: readonly number[];
  /** Where the summary of the compaction before stands, if there is one. */
  readonly earlierIndex?: number;
  readonly tokensBefore: number;
  /** Tokens of what leaves. */
  readonly leavingTokens: number;
  /** Tokens of what stays as it is. */
  readonly stayingTokens: number;
  readonly policy: CompactionPolicy;
}

/** What {@link planCompaction} needs. */
export interface PlanCompactionOptions extends Partial<CompactionPolicy> {
  /** Tokens of a message, cached by the caller where it can. */
  readonly tokensOf: (message: Message, index: number) => number;
  /** Compacts although the conversation is under its target. Default false. */
  readonly force?: boolean;
}

interface Sizes {
  readonly tokens: readonly number[];
  readonly total: number;
}

/**
 * Decides what leaves a conversation that is too large.
 * Pure; cuts stand only between units, so no call loses its result; system messages, the first message of the user and the
 * newest unit always stay; the message of the user that the agent works on is carried, whatever leaves; planning on a compacted
 * conversation leaves nothing to do until something new came. Makes one pass; each message is counted once.
 * @throws `CTX_INVALID_OPTION` for a policy that is none.
 */
export function planCompaction(
  messages: readonly Message[],
  { tokensOf, force = false, ...options }: PlanCompactionOptions,
): CompactionPlan {
  const policy = compactionPolicy(options);
  const tokens = messages.map(tokensOf);
  const sizes: Sizes = { tokens, total: tokens.reduce((sum, size) => sum + size, 0) };
  const units = unitsOf(messages);
  const start = startOf(messages);
  const end = Math.max(start, tailStart(units, sizes, { start, policy }));
  const plan = describePlan(messages, { start, end }, { sizes, policy });
  const earlierTokens = tokens[plan.earlierIndex ?? -1] ?? 0;
  const reason = reasonOf(messages, plan, { force, earlierTokens });
  return reason === undefined ? plan : { ...plan, reason };
}

/** After the leading system messages and the first message of the user, unless that holds a summary. */
function startOf(messages: readonly Message[]): number {
  const first = messages.findIndex(({ role }) => role !== 'system');
  if (first === -1) return messages.length;
  const message = messages[first];
  const stays = message?.role === 'user' && summaryRecordOf(message) === undefined;
  return stays ? first + 1 : first;
}

interface TailOptions {
  readonly start: number;
  readonly policy: CompactionPolicy;
}

/** The tail is as large as its share allows and the target leaves room for, and never less than the newest unit. */
function tailStart(
  units: ReturnType<typeof unitsOf>,
  { tokens }: Sizes,
  options: TailOptions,
): number {
  const { start, policy } = options;
  const head = tokens.slice(0, start).reduce((sum, size) => sum + size, 0);
  const { summaryTokens, annexTokens, ledgerTokens, carryTokens } = policy;
  const free =
    policy.targetTokens - head - summaryTokens - annexTokens - ledgerTokens - carryTokens;
  let room = Math.min(policy.tailTokens, Math.max(0, free));
  let position = units.at(-1)?.start ?? start;
  for (let index = units.length - 1; index >= 0; index -= 1) {
    const unit = units[index];
    if (unit === undefined || unit.start < start) break;
    const size = tokens.slice(unit.start, unit.end).reduce((sum, one) => sum + one, 0);
    if (size > room && index < units.length - 1) break;
    room -= size;
    position = unit.start;
  }
  return position;
}

function describePlan(
  messages: readonly Message[],
  { start, end }: Pick<CompactionPlan, 'start' | 'end'>,
  { sizes, policy }: { readonly sizes: Sizes; readonly policy: CompactionPolicy },
): CompactionPlan {
  const keptSystem: number[] = [];
  let leavingTokens = 0;
  let earlierIndex: number | undefined;
  for (let index = start; index < end; index += 1) {
    const message = messages[index];
    if (message?.role === 'system') keptSystem.push(index);
    else leavingTokens += sizes.tokens[index] ?? 0;
    if (summaryRecordOf(message) !== undefined) earlierIndex = index;
  }
  return {
    start,
    end,
    keptSystem,
    ...(earlierIndex === undefined ? {} : { earlierIndex }),
    tokensBefore: sizes.total,
    leavingTokens,
    stayingTokens: sizes.total - leavingTokens,
    policy,
  };
}

function reasonOf(
  messages: readonly Message[],
  plan: CompactionPlan,
  { force, earlierTokens }: { readonly force: boolean; readonly earlierTokens: number },
): NoCompactionReason | undefined {
  if (!force && plan.tokensBefore <= plan.policy.targetTokens) return 'under-target';
  // A summary is there already, and what the user says is carried on as it is.
  const isNew = messages
    .slice(plan.start, plan.end)
    .some(
      ({ role, content }) =>
        role === 'assistant' || content.some(({ type }) => type === 'tool_result'),
    );
  if (!isNew) return 'nothing-leaves';
  const isWorthIt = force || plan.leavingTokens - earlierTokens >= plan.policy.minLeavingTokens;
  return isWorthIt ? undefined : 'too-little-leaves';
}
