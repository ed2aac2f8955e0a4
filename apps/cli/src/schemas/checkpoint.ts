import { type Answer, entrySchemas } from '@ctx/server/records';
import { z } from 'zod';

const count = z.int().min(0);

/** What `ctx flash-save --json` answers. */
export const flashSaveAnswerSchema = z.object({
  store: z.string(),
  agent: z.string(),
  session: z.string().exactOptional(),
  /** `unchanged`: an earlier checkpoint says the same. `skipped`: there is nothing to save. `planned`: with `--dry-run`. */
  outcome: z.enum(['saved', 'unchanged', 'skipped', 'planned']),
  checkpointId: z.string().exactOptional(),
  tokensBefore: count,
  tokensAfter: count,
  reductionPercent: z.number(),
  itemsArchived: count,
  hotItemsRetained: count,
  warmItemsRetained: count,
  fits: z.boolean(),
  /** Where they do not fit: the biggest of the hot and pinned items. */
  biggest: z.array(
    z.object({ id: z.string(), kind: z.string(), tokens: count, pinned: z.boolean() }),
  ),
  /** Older checkpoints that retention took with it. */
  checkpointsDeleted: count,
});

export type FlashSaveAnswer = Answer<typeof flashSaveAnswerSchema>;

/** What `ctx checkpoints --json` answers. */
export const checkpointsAnswerSchema = z.object({
  store: z.string(),
  agent: z.string(),
  /** Newest first. */
  checkpoints: z.array(entrySchemas.checkpoint),
  /** Give it as `--after` to read on; missing at the end. */
  next: z.string().exactOptional(),
  /** The records that this page leaves out because they are damaged; missing if none are. */
  unreadable: z.array(z.string()).exactOptional(),
  /** With `--delete` and `--keep`: how many were deleted before the list was made. */
  deleted: count.exactOptional(),
});

export type CheckpointsAnswer = Answer<typeof checkpointsAnswerSchema>;

const { checkpoint: restoredCheckpoint, ...restored } = entrySchemas.restored.shape;

/** What `ctx restore --json` answers. */
export const restoreAnswerSchema = z.object({
  store: z.string(),
  checkpoint: restoredCheckpoint,
  /** `unchanged`: everything was so already. */
  outcome: z.enum(['restored', 'unchanged']),
  ...restored,
  /** The event of the log whose view is back; missing where the window did not move. */
  windowTo: count.exactOptional(),
});

export type RestoreAnswer = Answer<typeof restoreAnswerSchema>;

/** What `ctx fork --json` answers. */
export const forkAnswerSchema = z.object({
  store: z.string(),
  checkpoint: entrySchemas.checkpoint,
  /** The new session; missing where the checkpoint has none. */
  session: z.string().exactOptional(),
  agent: z.string(),
  /** Items that were copied for another agent. */
  items: count,
  missing: z.array(z.string()),
  /** Items that were purged since, where they would have been copied. */
  purged: count,
});

export type ForkAnswer = Answer<typeof forkAnswerSchema>;

const place = z.enum(['hot', 'warm', 'cold', 'archived']);

/** An item in a diff, where it stands and, where it changed, what was before. */
const diffItem = z.object({
  id: z.string(),
  fingerprint: z.string(),
  place,
  before: z.object({ fingerprint: z.string(), place }).exactOptional(),
});

export type DiffItemEntry = Answer<typeof diffItem>;

/** What `ctx diff --json` answers about items. */
export const itemsDiffAnswerSchema = z.object({
  store: z.string(),
  agent: z.string(),
  /** The checkpoints, or the time since which, ISO 8601. */
  from: z.string(),
  to: z.string(),
  added: z.array(diffItem),
  changed: z.array(diffItem),
  moved: z.array(diffItem),
  removed: z.array(z.object({ id: z.string(), fingerprint: z.string() })),
  unchanged: count.exactOptional(),
});

export type ItemsDiffAnswer = Answer<typeof itemsDiffAnswerSchema>;

const section = z.enum(['tools', 'system', 'messages']);

const difference = { path: z.string(), before: z.string(), after: z.string() };

const partEntry = z.object({
  section,
  path: z.string(),
  tokens: count,
});

const partChange = z.object({
  section,
  ...difference,
  tokensBefore: count,
  tokensAfter: count,
});

/** What `ctx diff --json` answers about two requests. */
const requestDiffAnswerSchema = z.object({
  before: z.string(),
  after: z.string(),
  tokensBefore: count,
  tokensAfter: count,
  prefixTokens: count,
  firstDivergence: z.object({ ...difference, index: count }).exactOptional(),
  added: z.array(partEntry),
  changed: z.array(partChange),
  removed: z.array(partEntry),
  unchanged: count,
});

export type RequestDiffAnswer = Answer<typeof requestDiffAnswerSchema>;

/** What `ctx diff --json` answers: one of the two. */
export const diffAnswerSchema = z.object({
  items: itemsDiffAnswerSchema.exactOptional(),
  /** With `--requests`. */
  requests: requestDiffAnswerSchema.exactOptional(),
});
