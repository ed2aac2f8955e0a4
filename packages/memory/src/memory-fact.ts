import { CtxError, type Trust } from '@ctx/core';
import type { AgentFact, FactKind } from '@ctx/store';
import { given } from './given.ts';

/** Whose facts a memory reads and keeps. What is left out is not read. */
export interface MemoryScope {
  readonly session?: string | undefined;
  readonly agent?: string | undefined;
  readonly user?: string | undefined;
  /** Whether facts of the whole tenant are read, too. */
  readonly tenant?: boolean | undefined;
}

/** One of the scopes, by name. */
export type ScopeLevel = keyof MemoryScope;

/** A fact with where it comes from and when it held. */
export interface MemoryFact {
  readonly id: string;
  readonly text: string;
  readonly kind: FactKind;
  readonly scope: ScopeLevel;
  /** Of facts with the same subject and attribute one holds at a time. */
  readonly subject?: string;
  readonly attribute?: string;
  /** Who said it: `user`, `assistant`, or the name of a tool or file. */
  readonly source: string;
  readonly trust: Trust;
  /** The words that say it, and the message that holds them. */
  readonly quote?: string;
  readonly address?: string;
  readonly sessionId?: string;
  /** All sessions in which it was learned, newest first, at most 20. */
  readonly sessions: readonly string[];
  /** ms since the epoch. */
  readonly saidAt: number;
  readonly validFrom: number;
  /** Missing: it still holds. */
  readonly validTo?: number;
  /** From 0 to 1. */
  readonly confidence: number;
  readonly pinned: boolean;
  readonly tokens: number;
}

/** From the narrowest to the widest: a narrow fact wins against a wide one about the same matter. */
export const scopeLevels: readonly ScopeLevel[] = ['session', 'agent', 'user', 'tenant'];

/** Under which owner a scope's facts are stored. Facts of agents are those of `ctx facts`. */
export function ownerOf(scope: MemoryScope, level: ScopeLevel): string | undefined {
  const { session, agent, user, tenant } = scope;
  if (level === 'agent') return agent;
  if (level === 'tenant') return tenant === true ? '@tenant' : undefined;
  const id = level === 'session' ? session : user;
  return id === undefined ? undefined : `@${level}/${id}`;
}

/** A scope that is read, with its owner. */
export interface ScopeOwner {
  readonly level: ScopeLevel;
  readonly owner: string;
}

/** The scope of one owner, such as `ada` for an agent, `@user/ada` or `@tenant`. */
export function scopeOfOwner(owner: string): MemoryScope {
  if (owner === '@tenant') return { tenant: true };
  const [, level, id] = /^@(session|user)\/([^]+)$/.exec(owner) ?? [];
  return level === undefined ? { agent: owner } : { [level]: id };
}

/**
 * The owners of a scope, narrowest first.
 * @throws `CTX_INVALID_OPTION` for a scope without an owner.
 */
export function ownersOf(scope: MemoryScope): ScopeOwner[] {
  const owners = scopeLevels.flatMap((level) => {
    const owner = ownerOf(scope, level);
    return owner === undefined ? [] : [{ level, owner }];
  });
  const { session, agent, user } = scope;
  if (
    owners.length === 0 ||
    [session, agent, user].includes('') ||
    agent?.startsWith('@') === true
  ) {
    const rule = 'must name a session, agent, user or the tenant, and no agent that begins with @';
    throw new CtxError('CTX_INVALID_OPTION', `scope ${rule}, got ${JSON.stringify(scope)}`);
  }
  return owners;
}

/** Where a fact that names no scope goes: to the user, else the agent, else the session, else the tenant. */
export function usualLevel(scope: MemoryScope): ScopeLevel {
  const order: readonly ScopeLevel[] = ['user', 'agent', 'session', 'tenant'];
  return order.find((level) => ownerOf(scope, level) !== undefined) ?? 'agent';
}

/** What is assumed of a fact that was only typed. */
function typedDetail(at: number): NonNullable<AgentFact['detail']> {
  return { kind: 'preference', saidAt: at, confidence: 1, periods: [{ from: at }] };
}

/** A stored fact as the memory tells of it, in the newest stretch of time in which it held. */
export function memoryFactOf(fact: AgentFact, scope: ScopeLevel): MemoryFact {
  const { id, text, source, trust, pinned, tokens, createdAt, detail } = fact;
  const { kind, subject, attribute, quote, address, saidAt, confidence, periods } =
    detail ?? typedDetail(createdAt);
  const [{ from, to } = { from: createdAt }] = periods;
  return {
    ...{ id, text, kind, scope, source, trust, saidAt, confidence, pinned, tokens },
    validFrom: from,
    sessions: fact.origins.map(({ sessionId }) => sessionId),
    ...given({ validTo: to, subject, attribute, quote, address }),
    ...given({ sessionId: fact.origins[0]?.sessionId }),
  };
}

/** A moment that is asked for, or the present as a store tells it, ms since the epoch. */
export interface Moment {
  /** Default: now. */
  readonly asOf?: number | undefined;
  readonly now: number;
}

/** Returns whether a fact held at a moment. What was stated last holds now whatever the clock said, but for what was stated for later. */
export function heldAt({ detail, createdAt }: AgentFact, { asOf, now }: Moment): boolean {
  const periods = detail?.periods ?? [{ from: createdAt }];
  if (asOf !== undefined) {
    return periods.some(({ from, to }) => from <= asOf && (to === undefined || asOf < to));
  }
  const [newest] = periods;
  const isAhead = newest?.isPlanned === true && newest.from > now;
  return newest?.to === undefined && !isAhead;
}
