import { randomUUID } from 'node:crypto';
import { readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import { CtxError, isCtxError } from '@ctx/core';
import type { ContextStore, Session } from '@ctx/store';
import * as z from 'zod';

/** Says in a session's `system_state.claim` who is writing its log and outputs just now. */
export interface SessionClaim {
  readonly id: string;
  readonly pid: number;
  /** The machine, and where the system tells, the space in which `pid` counts. */
  readonly host: string;
  /** Last sign of life, ms since the epoch. */
  readonly at: number;
}

/** A claim that this process holds. */
export interface HeldClaim {
  /**
   * Gives a sign of life, and changes the session with it.
   * @throws `CTX_STORE_CONFLICT` where another took the claim over.
   */
  readonly renew: (change?: (session: Session) => Session) => Promise<void>;
  /**
   * Writes the session, changed, without the claim.
   * @throws as `renew`.
   */
  readonly finish: (change: (session: Session) => Session) => Promise<void>;
  /**
   * Gives the claim up where it is still held.
   * @throws the codes of the store.
   */
  readonly release: () => Promise<void>;
  /** Whether another took the claim over. */
  readonly isLost: () => boolean;
}

const claimSchema: z.ZodType<SessionClaim> = z.object({
  id: z.string(),
  pid: z.int().positive(),
  host: z.string(),
  at: z.number(),
});

/** Claims of this process: after a kill another process may get the same number. */
const ownClaims = new Set<string>();

/** After so many ms without a sign of life a claim of another machine is dead. */
const foreignSilence = 60_000;

function hostText(): string {
  try {
    return `${hostname()} ${readlinkSync('/proc/self/ns/pid')}`;
  } catch {
    return hostname();
  }
}

/** Returns the claim of a session; `undefined` if no process writes it. */
export function claimOf({ document }: Session): SessionClaim | undefined {
  return claimSchema.safeParse(document.system_state['claim']).data;
}

function runs(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // Somebody else's process may not be signalled, but it is there.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

/** Whether the writer may still be at work. */
export function isAlive({ id, pid, host, at }: SessionClaim): boolean {
  if (host !== hostText()) return Date.now() - at < foreignSilence;
  return pid === process.pid ? ownClaims.has(id) : runs(pid);
}

function withClaim(session: Session, claim: SessionClaim): Session {
  const { document } = session;
  return {
    ...session,
    document: { ...document, system_state: { ...document.system_state, claim } },
  };
}

function withoutClaim(session: Session): Session {
  const { claim: _, ...rest } = session.document.system_state;
  return { ...session, document: { ...session.document, system_state: rest } };
}

/** Saves a session; returns `false` if another process wrote it since it was read. */
async function savedFirst(store: ContextStore, session: Session): Promise<boolean> {
  try {
    await store.sessions.save(session);
    return true;
  } catch (error) {
    if (isCtxError(error, 'CTX_STORE_CONFLICT')) return false;
    throw error;
  }
}

function holdClaim(store: ContextStore, sessionId: string, claim: SessionClaim): HeldClaim {
  let isLost = false;
  const write = async (change: (session: Session) => Session): Promise<void> => {
    for (;;) {
      const session = await store.sessions.get(sessionId);
      if (session === undefined || claimOf(session)?.id !== claim.id) {
        isLost = true;
        throw new CtxError('CTX_STORE_CONFLICT', `another process writes session ${sessionId}`);
      }
      // Whoever changed something else meanwhile is no rival: read again.
      if (await savedFirst(store, change(session))) return;
    }
  };
  const finish: HeldClaim['finish'] = async (change) => {
    await write((session) => withoutClaim(change(session)));
    ownClaims.delete(claim.id);
  };
  return {
    renew: (change = (session) => session) =>
      write((session) => withClaim(change(session), { ...claim, at: Date.now() })),
    finish,
    release: async () => {
      if (!ownClaims.delete(claim.id)) return;
      await finish((session) => session).catch((error: unknown) => {
        if (!isLost) throw error;
      });
    },
    isLost: () => isLost,
  };
}

/**
 * Claims a session by writing it as given.
 * Of several writers that read the same version one gets the claim; the others get `undefined`: read the session again.
 */
export async function takeClaim(
  store: ContextStore,
  session: Session,
): Promise<HeldClaim | undefined> {
  const id = randomUUID();
  const claim = { id, pid: process.pid, host: hostText(), at: Date.now() };
  // Before another process can read the claim and take it for a dead one.
  ownClaims.add(id);
  const isFirst = await savedFirst(store, withClaim(session, claim)).catch((error: unknown) => {
    ownClaims.delete(id);
    throw error;
  });
  if (isFirst) return holdClaim(store, session.id, claim);
  ownClaims.delete(id);
  return undefined;
}

/**
 * Claims a session and lends the claim to `work`. Whatever happens, the claim is gone afterwards.
 * `undefined` where another came first or took the claim over meanwhile: read the session again.
 */
export async function claimSession<Result>(
  store: ContextStore,
  session: Session,
  work: (claim: HeldClaim) => Promise<Result>,
): Promise<{ readonly result: Result } | undefined> {
  const claim = await takeClaim(store, session);
  if (claim === undefined) return undefined;
  try {
    const result = await work(claim);
    await claim.release();
    return { result };
  } catch (error) {
    if (claim.isLost()) return undefined;
    // Best effort: where the store is gone, the claim dies with this process.
    await claim.release().catch(() => undefined);
    throw error;
  }
}
