import type { DiffEntry } from '@ctx/store';
import { type CheckpointEntry, checkpointEntrySchema } from '@ctx/server/schemas';
import { z } from 'zod';

/** What `ctx flash-save --json` answers. */
export interface FlashSaveAnswer {
  readonly store: string;
  readonly agent: string;
  readonly session?: string;
  /** `unchanged`: an earlier checkpoint says the same. `skipped`: there is nothing to save. `planned`: with `--dry-run`. */
  readonly outcome: 'saved' | 'unchanged' | 'skipped' | 'planned';
  readonly checkpointId?: string;
  readonly tokensBefore: number;
  readonly tokensAfter: number;
  readonly reductionPercent: number;
  readonly itemsArchived: number;
  readonly hotItemsRetained: number;
  readonly warmItemsRetained: number;
  readonly fits: boolean;
  /** Where they do not fit: the biggest of the hot and pinned items. */
  readonly biggest: readonly {
    readonly id: string;
    readonly kind: string;
    readonly tokens: number;
    readonly pinned: boolean;
  }[];
  /** Older checkpoints that retention took with it. */
  readonly checkpointsDeleted: number;
}

/** What `ctx checkpoints --json` answers. */
export interface CheckpointsAnswer {
  readonly store: string;
  readonly agent: string;
  /** Newest first. */
  readonly checkpoints: readonly CheckpointEntry[];
  /** Give it as `--after` to read on; missing at the end. */
  readonly next?: string;
  /** With `--delete` and `--keep`: how many were deleted before the list was made. */
  readonly deleted?: number;
}

/** What `ctx restore --json` answers. */
export interface RestoreAnswer {
  readonly store: string;
  readonly checkpoint: CheckpointEntry;
  /** `unchanged`: everything was so already. */
  readonly outcome: 'restored' | 'unchanged';
  /** The checkpoint of the state before: restoring it takes this back. */
  readonly undo?: string;
  readonly items: {
    readonly restored: number;
    readonly contents: number;
    readonly unchanged: number;
    readonly archived: number;
    readonly missing: readonly string[];
    /** Items that were purged since: nobody knows what they were called. */
    readonly purged: number;
  };
  readonly session: 'restored' | 'unchanged' | 'none';
  /** The event of the log whose view is back; missing where the window did not move. */
  readonly windowTo?: number;
}

/** What `ctx fork --json` answers. */
export interface ForkAnswer {
  readonly store: string;
  readonly checkpoint: CheckpointEntry;
  /** The new session; missing where the checkpoint has none. */
  readonly session?: string;
  readonly agent: string;
  /** Items that were copied for another agent. */
  readonly items: number;
  readonly missing: readonly string[];
  /** Items that were purged since, where they would have been copied. */
  readonly purged: number;
}

/** An item in a diff, where it stands and, where it changed, what was before. */
export interface DiffItemEntry extends DiffEntry {
  readonly before?: { readonly fingerprint: string; readonly place: string };
}

/** What `ctx diff --json` answers about items. */
export interface ItemsDiffAnswer {
  readonly store: string;
  readonly agent: string;
  /** The checkpoints, or the time since which, ISO 8601. */
  readonly from: string;
  readonly to: string;
  readonly added: readonly DiffItemEntry[];
  readonly changed: readonly DiffItemEntry[];
  readonly moved: readonly DiffItemEntry[];
  readonly removed: readonly { readonly id: string; readonly fingerprint: string }[];
  readonly unchanged?: number;
}

const count: z.ZodType<number> = z.int().min(0);

export const flashSaveAnswerSchema: z.ZodType<FlashSaveAnswer> = z.object({
  store: z.string(),
  agent: z.string(),
  session: z.string().exactOptional(),
  outcome: z.enum(['saved', 'unchanged', 'skipped', 'planned']),
  checkpointId: z.string().exactOptional(),
  tokensBefore: count,
  tokensAfter: count,
  reductionPercent: z.number(),
  itemsArchived: count,
  hotItemsRetained: count,
  warmItemsRetained: count,
  fits: z.boolean(),
  biggest: z.array(
    z.object({ id: z.string(), kind: z.string(), tokens: count, pinned: z.boolean() }),
  ),
  checkpointsDeleted: count,
});

export const checkpointsAnswerSchema: z.ZodType<CheckpointsAnswer> = z.object({
  store: z.string(),
  agent: z.string(),
  checkpoints: z.array(checkpointEntrySchema),
  next: z.string().exactOptional(),
  deleted: count.exactOptional(),
});

export const restoreAnswerSchema: z.ZodType<RestoreAnswer> = z.object({
  store: z.string(),
  checkpoint: checkpointEntrySchema,
  outcome: z.enum(['restored', 'unchanged']),
  undo: z.string().exactOptional(),
  items: z.object({
    restored: count,
    contents: count,
    unchanged: count,
    archived: count,
    missing: z.array(z.string()),
    purged: count,
  }),
  session: z.enum(['restored', 'unchanged', 'none']),
  windowTo: count.exactOptional(),
});

export const forkAnswerSchema: z.ZodType<ForkAnswer> = z.object({
  store: z.string(),
  checkpoint: checkpointEntrySchema,
  session: z.string().exactOptional(),
  agent: z.string(),
  items: count,
  missing: z.array(z.string()),
  purged: count,
});

const place = z.enum(['hot', 'warm', 'cold', 'archived']);

const diffItem: z.ZodType<DiffItemEntry> = z.object({
  id: z.string(),
  fingerprint: z.string(),
  place,
  before: z.object({ fingerprint: z.string(), place }).exactOptional(),
});

export const itemsDiffAnswerSchema: z.ZodType<ItemsDiffAnswer> = z.object({
  store: z.string(),
  agent: z.string(),
  from: z.string(),
  to: z.string(),
  added: z.array(diffItem),
  changed: z.array(diffItem),
  moved: z.array(diffItem),
  removed: z.array(z.object({ id: z.string(), fingerprint: z.string() })),
  unchanged: count.exactOptional(),
});
