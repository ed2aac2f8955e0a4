import { type Answer, entrySchemas } from '@ctx/server/records';
import { z } from 'zod';

const tier = z.enum(['hot', 'warm', 'cold']);

const count = z.int().min(0);
const tallyMembers = { items: count, tokens: count };

/** What `ctx items --json` answers. */
export const itemsAnswerSchema = z.object({
  store: z.string(),
  agent: z.string(),
  /** Most important first; with `--search` the best match first. */
  items: z.array(entrySchemas.item),
  /** With `--search`: of each item, in the same order; higher is better, comparable within one answer only. */
  scores: z.array(z.number()).exactOptional(),
  /** With `--search`: what each item holds of the query, in the same order. */
  matches: z.array(entrySchemas.searchMatch).exactOptional(),
  /** Give it as `--after` to read on; missing at the end and with `--search`. */
  next: z.string().exactOptional(),
  /** The records that this page leaves out because they are damaged; missing if none are. */
  unreadable: z.array(z.string()).exactOptional(),
});

/** What `ctx save --json` answers. */
export const saveAnswerSchema = z.object({
  store: z.string(),
  /** `refreshed`: it was there and says what it said. */
  outcome: z.enum(['created', 'replaced', 'refreshed']),
  item: entrySchemas.item,
  /** The tier at the same moment, had it not been saved; missing for a new item. */
  tierBefore: tier.exactOptional(),
});

/** What `ctx pin --json` and the other commands that change an item answer. */
export const itemChangeAnswerSchema = z.object({
  store: z.string(),
  /** False where it was so already. */
  changed: z.boolean(),
  item: entrySchemas.item,
  tierBefore: tier,
});

/** What `ctx delete --json` answers. */
export const deleteAnswerSchema = z.object({
  store: z.string(),
  agent: z.string(),
  id: z.string(),
});

/** What `ctx item --json` answers. */
export const itemAnswerSchema = z.object({
  store: z.string(),
  item: entrySchemas.item,
  /** importance = min(1, min(weight · boost, cap) · decay), 1 where it is pinned. */
  why: z.object({
    weight: z.number(),
    /** Whether the weight was given with the item and is not that of its kind. */
    isOwnWeight: z.boolean(),
    boost: z.number(),
    /** On what is finished. */
    cap: z.number().exactOptional(),
    decay: z.number(),
    /** Time since it was last of use, ms. */
    ageMs: z.number(),
    /** When it will fall to the next tier if it is not touched, ISO 8601; missing where it never will. */
    next: z.object({ tier, at: z.string() }).exactOptional(),
  }),
});

export type ItemAnswer = Answer<typeof itemAnswerSchema>;

/** What `ctx tiers --json` answers. */
export const tiersAnswerSchema = z.object({
  store: z.string(),
  agent: z.string(),
  /** ISO 8601. */
  at: z.string(),
  ...tallyMembers,
  tiers: z.array(z.object({ tier, ...tallyMembers })),
  archived: z.object(tallyMembers),
  /** With `--changed-since`: what fell because time passed. */
  changed: z
    .array(z.object({ id: z.string(), kind: z.string(), tokens: count, from: tier, to: tier }))
    .exactOptional(),
  /** Give it as `--after` to read on; missing at the end. */
  next: z.string().exactOptional(),
});

export type TiersAnswer = Answer<typeof tiersAnswerSchema>;

/** An item that fell to a lower tier. */
export type TierChangeEntry = NonNullable<TiersAnswer['changed']>[number];

/** What `ctx facts --json` answers. */
export const factsAnswerSchema = z.object({
  store: z.string(),
  /** The session whose facts these are; missing where they are an agent's. */
  session: z.string().exactOptional(),
  agent: z.string().exactOptional(),
  facts: z.array(entrySchemas.fact),
  /** Give it as `--after` to read on; missing at the end. */
  next: z.string().exactOptional(),
  /** The records that this page leaves out because they are damaged; missing if none are. */
  unreadable: z.array(z.string()).exactOptional(),
  /** Of a fact that is kept: whose it is now, whether it is new, and the texts of those that no longer hold because of it. */
  kept: z
    .object({
      /** Such as `agent default`, `user ada`, `session 0f3a` or `everybody`. */
      for: z.string(),
      session: z.string().exactOptional(),
      agent: z.string().exactOptional(),
      text: z.string(),
      isNew: z.boolean(),
      ended: z.array(z.string()).exactOptional(),
    })
    .exactOptional(),
  /** Of `recall`: facts were found, and none says enough about the question. */
  abstained: z.boolean().exactOptional(),
  /** What failed while the rest answered, such as an embedder. */
  degraded: z.array(z.string()).exactOptional(),
  /** Of `observe`: what cannot be believed, how many messages were read, and how many the model no longer saw and were not. */
  refused: z.array(z.object({ text: z.string(), reason: z.string() })).exactOptional(),
  messages: z.int().exactOptional(),
  messagesAside: z.int().exactOptional(),
  /** Of `embed`: how many facts have a vector now. */
  embedded: z.int().exactOptional(),
  /** Of `forget`: out of what it was taken, and where it still stands. */
  forgotten: entrySchemas.forgotten.exactOptional(),
});

export type FactsAnswer = Answer<typeof factsAnswerSchema>;
