import { type Answer, entrySchemas } from '@ctx/server/records';
import { z } from 'zod';

/** What `ctx proxy --json` answers, as soon as it listens. */
export const proxyAnswerSchema = z.object({
  /** The address with its token. Anyone who has it can use the proxy. */
  url: z.string(),
  port: z.int(),
  store: z.string(),
});

/** What `ctx run --json` answers at the end, on standard error: standard output is the agent's. */
export const runAnswerSchema = z.object({
  requests: z.int(),
  passed: z.int(),
  shaped: z.int(),
  flushes: z.int(),
  breaks: z.int(),
  failedOpen: z.int(),
  heldOut: z.int(),
  heldOutDollars: z.number(),
  inputTokens: z.int(),
  plainTokens: z.int(),
  dollars: z.number(),
  plainDollars: z.number(),
  sessions: z.array(z.string()),
});

/** What `ctx init --json` answers. */
export const initAnswerSchema = z.object({
  /** The file of settings. */
  path: z.string(),
  /** What is added and removed, one line each. */
  changes: z.array(z.string()),
  /** False for `--dry-run`, and where nothing had to be changed. */
  written: z.boolean(),
});

export type InitAnswer = Answer<typeof initAnswerSchema>;

/** A key in a list, and whose records it opens. */
const keyEntrySchema = z.object({ ...entrySchemas.key.shape, tenant: z.string() });

export type KeyEntry = Answer<typeof keyEntrySchema>;

/** What `ctx keys --json` answers. */
export const keysAnswerSchema = z.object({
  store: z.string(),
  /** The keys; with `create` and `revoke` the one. */
  keys: z.array(keyEntrySchema),
  /** With `create`: the key itself, told this once. */
  text: z.string().exactOptional(),
  /** Give it as `--after` to read on; missing at the end. */
  next: z.string().exactOptional(),
});

export type KeysAnswer = Answer<typeof keysAnswerSchema>;

/** What `ctx mcp --json` says: what a client would be offered. */
export const mcpAnswerSchema = z.object({
  store: z.string(),
  session: z.string().exactOptional(),
  tools: z.array(z.string()),
  resources: z.array(z.string()).describe('Templates of addresses'),
});

/** What `ctx up --json` answers, as soon as it listens. */
export const upAnswerSchema = z.object({
  url: z.string(),
  port: z.int(),
  store: z.string(),
  /** File that holds the key; absent with `--no-auth` and for a store in memory. */
  keyFile: z.string().exactOptional(),
});

export type UpAnswer = Answer<typeof upAnswerSchema>;

/** What `ctx completion --json` answers. */
export const completionAnswerSchema = z.object({
  shell: z.string(),
  script: z.string(),
});
