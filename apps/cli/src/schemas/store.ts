import { type Answer, entrySchemas } from '@ctx/server/records';
import { z } from 'zod';

/** What `ctx config --json` answers. */
export const configAnswerSchema = z.object({
  settings: z.array(
    z.object({
      key: z.string(),
      /** Missing where nothing is set. */
      value: z.string().exactOptional(),
      /** Who said it: `flag`, `environment`, `project`, `user` or `default`. */
      origin: z.string(),
      /** The flag, the variable or the file. */
      source: z.string().exactOptional(),
    }),
  ),
  files: z.object({
    user: z.string(),
    project: z.string(),
    hasUser: z.boolean(),
    hasProject: z.boolean(),
  }),
  /** The file that `set` or `unset` wrote. */
  wrote: z.string().exactOptional(),
});

export type ConfigAnswer = Answer<typeof configAnswerSchema>;

/** What `ctx conform --json` answers. */
export const conformAnswerSchema = z.object({
  /** Path of the module, or the URL of the store without its password. */
  tested: z.string(),
  backend: z.string(),
  passed: z.number(),
  failed: z.number(),
  /** Abilities that the backend does not promise. */
  notOffered: z.array(z.string()),
  cases: z.array(
    z.object({
      id: z.string(),
      group: z.string(),
      name: z.string(),
      status: z.enum(['passed', 'failed']),
      /** What went wrong. */
      error: z.string().exactOptional(),
    }),
  ),
});

export type ConformAnswer = Answer<typeof conformAnswerSchema>;

/** What became of one case. */
export type ConformEntry = ConformAnswer['cases'][number];

/** What a repair of a database did: `lost` are records that its index of keys names and that did not come back. */
const repairSchema = z.object({
  how: z.enum(['none', 'mended', 'recovered']),
  damage: z.array(z.string()),
  /** Where the damaged file is kept. */
  kept: z.string().exactOptional(),
  missingBytes: z.int(),
  collections: z.array(
    z.object({
      name: z.string(),
      recovered: z.int(),
      unsealed: z.int(),
      lost: z.int(),
      lostKeys: z.array(z.array(z.string())),
    }),
  ),
});

/** What `ctx doctor --json` answers. */
export const doctorAnswerSchema = z.object({
  isHealthy: z.boolean(),
  checks: z.array(
    z.object({
      name: z.string(),
      status: z.enum(['ok', 'warning', 'problem']),
      found: z.string(),
      /** What to do about it. */
      advice: z.string().exactOptional(),
    }),
  ),
  repair: repairSchema.exactOptional(),
});

export type DoctorRepair = Answer<typeof repairSchema>;

export type DoctorAnswer = Answer<typeof doctorAnswerSchema>;

/** One thing that was checked. */
export type DoctorCheck = DoctorAnswer['checks'][number];

/** What `ctx migrate --json` answers. */
export const migrateAnswerSchema = z.object({
  from: z.string(),
  to: z.string(),
  tenants: z.number(),
  copied: z.number(),
  /** Records that stood in the target already, equal. */
  unchanged: z.number(),
  /** Records compared; missing without --verify. */
  verified: z.number().exactOptional(),
  /** What the source says of each record that could not be copied, at most 100. */
  unreadable: z.array(z.string()),
  /** Records that differ, at most 100; empty means identical. */
  differences: z.array(z.string()),
});

export type MigrateAnswer = Answer<typeof migrateAnswerSchema>;

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

const count = z.int().min(0);

/** How far a purge is. */
const status = z.object({
  id: z.string(),
  /** `planning`, `working` or `ended`. */
  stage: z.string(),
  /** What is destroyed; empty where it ended. */
  what: z.string(),
  /** ms since the epoch. */
  startedAt: count,
  endedAt: count.exactOptional(),
  /** What was planned; 0 until then. */
  records: count,
  batches: count,
  recordsLeft: count,
  batchesLeft: count,
  /** Processes that are at it now. */
  workers: count,
});

export type PurgeStatus = Answer<typeof status>;

/** What `ctx purge --json` answers. */
export const purgeAnswerSchema = z.object({
  store: z.string(),
  tenant: z.string(),
  /** `planned`: nothing was done; `purged`; `nothing` where there was nothing to destroy; `status` where that was asked for. */
  outcome: z.string(),
  sessions: z.array(z.string()),
  /** Records by collection. */
  records: z.record(z.string(), count),
  /** Sessions that were forked from those: they hold copies of what was said. */
  forks: z.array(z.string()),
  /** Files of the quarantine that went, too. */
  quarantineFiles: count,
  /** True if no byte is left in the files of the store. False while another process has them open; run it again then. */
  traceless: z.boolean().exactOptional(),
  /** Batches that this process did; servers over the store may have done others. */
  batches: count.exactOptional(),
  /** With `--status`: those that go on, and those that ended within 30 days. */
  purges: z.array(status).exactOptional(),
});

export type PurgeAnswer = Answer<typeof purgeAnswerSchema>;

/** What `ctx retention --json` answers. */
export const retentionAnswerSchema = z.object({
  store: z.string(),
  /** `planned`: nothing was done; `done`; `nothing` where nothing is beyond the limits; `set` where a config file was written. */
  outcome: z.string(),
  policy: z.array(
    z.object({
      rule: z.string() /** Missing where there is no limit. */,
      value: z.string().exactOptional() /** `flag`, `project`, `user` or `default`. */,
      origin: z.string(),
    }),
  ),
  /** The file that was written. */
  wrote: z.string().exactOptional(),
  outputs: count,
  bytesBefore: count,
  bytesAfter: count,
  /** Pinned outputs that stay all the same. */
  keptPinned: count,
  checkpoints: count,
  traceless: z.boolean().exactOptional(),
});

export type RetentionAnswer = Answer<typeof retentionAnswerSchema>;

/** One limit, and who set it. */
export type RetentionRule = RetentionAnswer['policy'][number];

const { gone, ...summary } = entrySchemas.verifySummary.shape;

/** What `ctx verify --json` answers. `unsealed` are records of an older ctx without a checksum. `quarantine` is the folder in which quarantined records lie now. */
export const verifyAnswerSchema = z.object({
  store: z.string(),
  ...summary,
  unsealed: z.int(),
  quarantine: z.string().exactOptional(),
  gone,
});

export type VerifyAnswer = z.infer<typeof verifyAnswerSchema>;
