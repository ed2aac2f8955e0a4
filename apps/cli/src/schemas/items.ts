import type { Tier } from '@ctx/core';
import type { ItemTally, TierTally } from '@ctx/store';
import { type ItemEntry, itemEntrySchema } from '@ctx/server/schemas';
import { z } from 'zod';

/** What `ctx items --json` answers. */
export interface ItemsAnswer {
  readonly store: string;
  readonly agent: string;
  /** Most important first; with `--search` the best match first. */
  readonly items: readonly ItemEntry[];
  /** With `--search`: of each item, in the same order; higher is better, comparable within one answer only. */
  readonly scores?: readonly number[];
  /** Give it as `--after` to read on; missing at the end and with `--search`. */
  readonly next?: string;
}

/** What `ctx save --json` answers. */
export interface SaveAnswer {
  readonly store: string;
  /** `refreshed`: it was there and says what it said. */
  readonly outcome: 'created' | 'replaced' | 'refreshed';
  readonly item: ItemEntry;
  /** The tier at the same moment, had it not been saved; missing for a new item. */
  readonly tierBefore?: Tier;
}

/** What `ctx pin --json` and the other commands that change an item answer. */
export interface ItemChangeAnswer {
  readonly store: string;
  /** False where it was so already. */
  readonly changed: boolean;
  readonly item: ItemEntry;
  readonly tierBefore: Tier;
}

/** What `ctx delete --json` answers. */
export interface DeleteAnswer {
  readonly store: string;
  readonly agent: string;
  readonly id: string;
}

/** What `ctx item --json` answers. */
export interface ItemAnswer {
  readonly store: string;
  readonly item: ItemEntry;
  /** importance = min(1, min(weight · boost, cap) · decay), 1 where it is pinned. */
  readonly why: {
    readonly weight: number;
    /** Whether the weight was given with the item and is not that of its kind. */
    readonly isOwnWeight: boolean;
    readonly boost: number;
    /** On what is finished. */
    readonly cap?: number;
    readonly decay: number;
    /** Time since it was last of use, ms. */
    readonly ageMs: number;
    /** When it will fall to the next tier if nobody touches it, ISO 8601; missing where it never will. */
    readonly next?: { readonly tier: Tier; readonly at: string };
  };
}

/** An item that fell to a lower tier. */
export interface TierChangeEntry {
  readonly id: string;
  readonly kind: string;
  readonly tokens: number;
  readonly from: Tier;
  readonly to: Tier;
}

/** What `ctx tiers --json` answers. */
export interface TiersAnswer extends ItemTally {
  readonly store: string;
  readonly agent: string;
  /** ISO 8601. */
  readonly at: string;
  readonly tiers: readonly TierTally[];
  readonly archived: ItemTally;
  /** With `--changed-since`: what fell because time passed. */
  readonly changed?: readonly TierChangeEntry[];
  /** Give it as `--after` to read on; missing at the end. */
  readonly next?: string;
}

const tier = z.enum(['hot', 'warm', 'cold']);
const count = z.int().min(0);
const tallyMembers = { items: count, tokens: count };

export const itemsAnswerSchema: z.ZodType<ItemsAnswer> = z.object({
  store: z.string(),
  agent: z.string(),
  items: z.array(itemEntrySchema),
  scores: z.array(z.number()).exactOptional(),
  next: z.string().exactOptional(),
});

export const saveAnswerSchema: z.ZodType<SaveAnswer> = z.object({
  store: z.string(),
  outcome: z.enum(['created', 'replaced', 'refreshed']),
  item: itemEntrySchema,
  tierBefore: tier.exactOptional(),
});

export const itemChangeAnswerSchema: z.ZodType<ItemChangeAnswer> = z.object({
  store: z.string(),
  changed: z.boolean(),
  item: itemEntrySchema,
  tierBefore: tier,
});

export const deleteAnswerSchema: z.ZodType<DeleteAnswer> = z.object({
  store: z.string(),
  agent: z.string(),
  id: z.string(),
});

export const itemAnswerSchema: z.ZodType<ItemAnswer> = z.object({
  store: z.string(),
  item: itemEntrySchema,
  why: z.object({
    weight: z.number(),
    isOwnWeight: z.boolean(),
    boost: z.number(),
    cap: z.number().exactOptional(),
    decay: z.number(),
    ageMs: z.number(),
    next: z.object({ tier, at: z.string() }).exactOptional(),
  }),
});

export const tiersAnswerSchema: z.ZodType<TiersAnswer> = z.object({
  store: z.string(),
  agent: z.string(),
  at: z.string(),
  ...tallyMembers,
  tiers: z.array(z.object({ tier, ...tallyMembers })),
  archived: z.object(tallyMembers),
  changed: z
    .array(z.object({ id: z.string(), kind: z.string(), tokens: count, from: tier, to: tier }))
    .exactOptional(),
  next: z.string().exactOptional(),
});
