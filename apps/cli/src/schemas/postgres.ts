import { z } from 'zod';

/** What `ctx postgres --json` answers. */
export interface PostgresAnswer {
  readonly store: string;
  readonly action: string;
  /** `planned`: nothing was done; `done`; `nothing` where there was nothing to do. */
  readonly outcome: string;
  /** With `distribute`: the statements, in order. */
  readonly statements?: readonly string[];
  /** With `distribute`: the version of the Citus extension, where the database has it. */
  readonly citus?: string;
  /** How many tables it is about: those distributed already, or those with the lock. */
  readonly tables: number;
  /** With `lock`: whether this user passes the lock all the same, as superusers do. */
  readonly bypassed?: boolean;
}

export const postgresAnswerSchema: z.ZodType<PostgresAnswer> = z.object({
  store: z.string(),
  action: z.string(),
  outcome: z.string(),
  statements: z.array(z.string()).exactOptional(),
  citus: z.string().exactOptional(),
  tables: z.int().min(0),
  bypassed: z.boolean().exactOptional(),
});
