import type { Answer } from '@ctx/server/schemas';
import { z } from 'zod';

/** What `ctx postgres --json` answers. */
export const postgresAnswerSchema = z.object({
  store: z.string(),
  action: z.string(),
  /** `planned`: nothing was done; `done`; `nothing` where there was nothing to do. */
  outcome: z.string(),
  /** With `distribute`: the statements, in order. */
  statements: z.array(z.string()).exactOptional(),
  /** With `distribute`: the version of the Citus extension, where the database has it. */
  citus: z.string().exactOptional(),
  /** How many tables it is about: those distributed already, or those with the lock. */
  tables: z.int().min(0),
  /** With `lock`: whether this user passes the lock all the same, as superusers do. */
  bypassed: z.boolean().exactOptional(),
});

export type PostgresAnswer = Answer<typeof postgresAnswerSchema>;
