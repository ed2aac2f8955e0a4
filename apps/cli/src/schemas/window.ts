import { usedParts } from '@ctx/replay';
import { type Answer, entrySchemas } from '@ctx/server/records';
import { z } from 'zod';

const count = z.int().min(0);

/** What `ctx compact --json` answers. */
export const compactAnswerSchema = z.object({
  store: z.string(),
  session: z.string(),
  /** `nothing`: there was nothing to do. `planned`: with `--dry-run`. `listed`: with `--list`. */
  outcome: z.enum(['nothing', 'planned', 'compacted', 'undone', 'listed']),
  /** Entries that leave the history, or have left it; with `undone`, that are in it again. */
  entries: count.exactOptional(),
  /** Entries that stay. */
  keeps: count.exactOptional(),
  /** Entries of which a preview with a pointer stays. */
  offloaded: count.exactOptional(),
  factsDropped: count.exactOptional(),
  tasksPruned: count.exactOptional(),
  /** Whether the history is within its tokens afterwards. */
  fits: z.boolean().exactOptional(),
  /** With `nothing`: the history is short enough, or a summary would be no shorter than what it stands for. */
  reason: z.enum(['short-enough', 'no-shorter']).exactOptional(),
  /** With `nothing`: the document has no history, and the log so many tokens; `--from-log` takes them in. */
  logTokens: count.exactOptional(),
  /** With `--from-log`: messages of the log that are in the history now, or would be. */
  copied: count.exactOptional(),
  /** With `--dry-run` and where it was refused: tokens of the document as it is, and at most afterwards. */
  tokensBefore: count.exactOptional(),
  tokensAfter: count.exactOptional(),
  /** With `--dry-run`: requests after which it has paid, at most; left out where it may never. */
  breakEvenRequests: count.exactOptional(),
  /** The price that this is about. */
  price: z.string().exactOptional(),
  compaction: entrySchemas.compaction.exactOptional(),
  summary: z.string().exactOptional(),
  /** With `--list`, newest first. */
  compactions: z.array(entrySchemas.compaction).exactOptional(),
});

export type CompactAnswer = Answer<typeof compactAnswerSchema>;

const size = z.number().min(0);

/** Where the tokens of a session's window go. Sizes in tokens. */
const contextSchema = z.object({
  /** `window`: a window of ctx, as it stands. `transcript`: what the imported conversation's agent showed its model last. */
  source: z.enum(['window', 'transcript']),
  windowTokens: size,
  /** Whether nothing told how large the window is. */
  isAssumed: z.boolean(),
  /** All that is used. */
  tokens: size,
  /** What uses it; `fixed` is system prompt and tools together. Parts with nothing are left out. */
  parts: z.array(z.object({ part: z.enum(usedParts), tokens: size })),
  freeTokens: size,
  /** Room that is kept for the answer. */
  reserveTokens: size,
});

export type StatusContext = Answer<typeof contextSchema>;

/** What `ctx status --json` answers: what is kept in mind of one session. */
export const statusAnswerSchema = z.object({
  store: z.string(),
  session: entrySchemas.session,
  /** What the session's log holds; nothing of it is in mind unless an agent or a compaction took it in. */
  log: z.object({ events: size, tokens: size }),
  /** How full the window was at the newest request that is known, and what hooks kept out of it. */
  window: z
    .object({
      usedTokens: size,
      windowTokens: size.exactOptional(),
      offloaded: size,
      savedTokens: size,
    })
    .exactOptional(),
  /** Where the tokens go; missing where the log holds no conversation. */
  context: contextSchema.exactOptional(),
  /** The agent's items by tier. */
  tiers: z.array(z.object({ tier: z.string(), items: size, tokens: size })),
  /** The transcript that it was imported from. */
  imported: z.object({ path: z.string(), format: z.string() }).exactOptional(),
  history: z.object({ entries: size, tokens: size, pinned: size }),
  summary: z.object({ tokens: size, trust: z.string() }),
  facts: z.object({ count: size, pinned: size, superseded: size }),
  tasks: z.object({ running: size, over: size }),
  plans: size,
  toolCalls: z.object({
    total: size,
    failures: size,
    byTool: z.record(z.string(), size),
  }),
  tokenUsage: z.object({ input: size, output: size }),
  workspace: z.string().exactOptional(),
  /** What would begin a compaction now; missing where none is due. */
  compactionDue: z.string().exactOptional(),
  lastCompaction: entrySchemas.compaction.exactOptional(),
});

export type StatusAnswer = Answer<typeof statusAnswerSchema>;

const { segment, message, form, pointer } = entrySchemas.segmentMembers;

/**
 * One piece of the conversation, and what it is in the request. Number, place, form and pointer are missing of the system prompt and
 * the tools.
 */
const whySegmentSchema = z.object({
  ...entrySchemas.segmentMembers,
  segment: segment.exactOptional(),
  message: message.exactOptional(),
  form: form.exactOptional(),
  pointer: pointer.exactOptional(),
  role: z.string(),
  /** `text`, `call`, `result`, `system prompt`, `tools`, or what an opaque block is. */
  kind: z.string(),
  tool: z.string().exactOptional(),
  /**
   * The form in words: `in view`, `pinned`, `normalised`, `same as above`, `diff`, `new lines`, `preview`, `ledger`, `stubbed`,
   * `in part`, `gone`, `shortened`, `cut` or `summarised`.
   */
  state: z.string(),
  /** The command that gives the original back. */
  read: z.string().exactOptional(),
});

export type WhySegment = Answer<typeof whySegmentSchema>;

/** What `ctx why --json` answers. */
export const whyAnswerSchema = z.object({
  /** The file or session. */
  name: z.string(),
  source: z.enum(['file', 'session']),
  policy: z.string(),
  windowTokens: z.number(),
  /** What a request may have: the window without the room for the answer. */
  limitTokens: z.number(),
  /** The request that is explained, from 1, and how many there are. */
  request: z.number(),
  requests: z.number(),
  /** Messages of the record that count as gone: before its last compaction, or taken back. */
  messagesAside: z.number(),
  /** Size of the request, tokens, and what it would have with everything whole. */
  tokens: z.number(),
  tokensWhole: z.number(),
  states: z.array(
    z.object({
      state: z.string(),
      segments: z.number(),
      tokensBefore: z.number(),
      tokensAfter: z.number(),
    }),
  ),
  segments: z.array(whySegmentSchema),
  /** Where the list goes on: `--from`. */
  next: z.number().exactOptional(),
});

export type WhyAnswer = Answer<typeof whyAnswerSchema>;

/** Segments of one state. */
export type WhyState = WhyAnswer['states'][number];
