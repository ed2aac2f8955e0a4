import { type Answer, entrySchemas } from '@ctx/server/records';
import { sessionDocumentSchema } from '@ctx/store';
import { importEntrySchema } from '@ctx/transcripts/import';
import { z } from 'zod';

/** What `ctx sessions --json` answers. */
export const sessionsAnswerSchema = z.object({
  store: z.string(),
  /** Newest activity first. */
  sessions: z.array(entrySchemas.session),
  /** Give it as `--after` to read on; missing at the end. */
  next: z.string().exactOptional(),
  /** The records that this page leaves out because they are damaged; missing if none are. */
  unreadable: z.array(z.string()).exactOptional(),
});

/** What `ctx show --json` answers. */
export const showAnswerSchema = z.object({
  store: z.string(),
  session: entrySchemas.session,
  /** The session document (facts, summary, tasks, statistics). */
  document: z.unknown(),
  totals: z.object({
    events: z.number(),
    tokens: z.number(),
    outputs: z.number(),
    outputBytes: z.number(),
    outputTokens: z.number(),
  }),
  events: z.array(entrySchemas.log),
  /** Give it as `--from` to read on; missing at the end. */
  next: z.number().exactOptional(),
});

export type ShowAnswer = Answer<typeof showAnswerSchema>;

/** What `ctx stats --json` answers. */
export const statsAnswerSchema = z.object({
  store: z.string(),
  backend: z.string(),
  sessions: z.number(),
  /** Log entries of all sessions, or of the one that was asked for. */
  events: z.number(),
  eventTokens: z.number(),
  outputs: z.number(),
  outputBytes: z.number(),
  outputTokens: z.number(),
});

export type StatsAnswer = Answer<typeof statsAnswerSchema>;

/** What `ctx tasks --json` answers. */
export const tasksAnswerSchema = z.object({
  store: z.string(),
  session: z.string(),
  tasks: z.array(entrySchemas.task),
});

/** What `ctx document --json` answers. */
export const documentAnswerSchema = z.object({
  store: z.string(),
  session: z.string(),
  /** The session's document, with the names of the seed. */
  document: sessionDocumentSchema,
  /** With `--notes`: the notes for a model that resumes the session. */
  notes: z.string().exactOptional(),
});

/** What `ctx export --json` and `ctx share --json` answer, on standard error; what they write goes to standard output or its file. */
export const exportAnswerSchema = z.object({
  session: z.string(),
  format: z.string(),
  events: z.number(),
  bytes: z.number(),
  /** What the format cannot hold, by kind. */
  losses: z.record(z.string(), z.number()),
});

/** What `ctx import --json` answers. */
export const importAnswerSchema = z.object({
  store: z.string(),
  redact: z.enum(['on', 'report', 'off']),
  files: z.array(importEntrySchema),
});

export type ImportAnswer = z.infer<typeof importAnswerSchema>;

export type ImportEntry = ImportAnswer['files'][number];
