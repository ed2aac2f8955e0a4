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
