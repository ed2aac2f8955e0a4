import type { Trust } from '@ctx/core';
import * as z from 'zod';
import { type FactDetail, factDetailSchema } from './fact-detail.ts';

/** Where an agent learned a fact. */
export interface FactOrigin {
  readonly sessionId: string;
  /** ms since the epoch. */
  readonly at: number;
  /** Place in the session's log of the newest message that says it. */
  readonly sequence?: number;
}

/** Something that an agent knows beyond one session. */
export interface AgentFact {
  /** The same for every way of writing the fact. */
  readonly id: string;
  readonly agentId: string;
  readonly text: string;
  /** Who said it: `user`, `developer`, `assistant`, or the name of a tool or file. */
  readonly source: string;
  readonly trust: Trust;
  readonly pinned: boolean;
  /** ms since the epoch. */
  readonly createdAt: number;
  /** Last time it was stated, ms since the epoch. */
  readonly updatedAt: number;
  readonly tokens: number;
  /** The sessions it comes from, newest first, at most 20. */
  readonly origins: readonly FactOrigin[];
  /** What it took the place of, newest first, at most 20. */
  readonly supersedes: readonly string[];
  /** Of facts that the memory observed. */
  readonly detail?: FactDetail;
}

/** The stored part of a fact: all but what key and columns say. */
export interface AgentFactBody {
  readonly text: string;
  readonly origins: readonly FactOrigin[];
  readonly supersedes: readonly string[];
  readonly detail?: FactDetail;
}

/** Checks the body of a stored fact. */
export const agentFactBodySchema: z.ZodType<AgentFactBody> = z.object({
  text: z.string(),
  origins: z.array(
    z.object({ sessionId: z.string(), at: z.number(), sequence: z.number().exactOptional() }),
  ),
  supersedes: z.array(z.string()),
  detail: factDetailSchema.exactOptional(),
});
