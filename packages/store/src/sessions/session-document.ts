import * as z from 'zod';

/** A session as seed 003 writes it. Field names are the seed's, since people read and exchange this document. */
export interface SessionDocument {
  readonly session_id: string;
  readonly system_state: Readonly<Record<string, unknown>>;
  readonly facts: readonly string[];
  readonly recent_history: readonly HistoryEntry[];
  readonly long_term_summary: string;
  readonly active_tasks: readonly Readonly<Record<string, unknown>>[];
  readonly tool_stats: ToolStats;
  readonly last_known_environment: Readonly<Record<string, unknown>>;
  readonly token_usage: SessionTokenUsage;
  /** What ctx adds to the seed's members; read it by `sessionExtras`. */
  readonly ctx?: unknown;
}

export interface HistoryEntry {
  /** Seconds since the epoch. */
  readonly timestamp: number;
  readonly role: string;
  readonly content: string;
  readonly token_count?: number;
}

export interface ToolStats {
  readonly total_calls: number;
  readonly by_tool: Readonly<Record<string, number>>;
  readonly failures: number;
}

export interface SessionTokenUsage {
  readonly total_input: number;
  readonly total_output: number;
  readonly by_session: number;
}

/** One conversation's state. */
export interface Session {
  readonly id: string;
  /** Version of the stored record; 0 before it was saved. */
  readonly version: number;
  readonly agentId?: string;
  readonly title?: string;
  /** Where it came from, such as the name of an imported file. */
  readonly source?: string;
  /** ms since the epoch. */
  readonly createdAt: number;
  /** Last activity, ms since the epoch. */
  readonly updatedAt: number;
  readonly document: SessionDocument;
}

const count: z.ZodType<number> = z.number().min(0);

/** Checks one message of a history. Unknown members are kept. */
export const historyEntrySchema: z.ZodType<HistoryEntry> = z.looseObject({
  timestamp: z.number(),
  role: z.string(),
  content: z.string(),
  token_count: count.exactOptional(),
});

/** Checks a document that comes from a file or a caller. Unknown members are kept. */
export const sessionDocumentSchema: z.ZodType<SessionDocument> = z.looseObject({
  session_id: z.string(),
  system_state: z.record(z.string(), z.unknown()),
  facts: z.array(z.string()),
  recent_history: z.array(historyEntrySchema),
  long_term_summary: z.string(),
  active_tasks: z.array(z.record(z.string(), z.unknown())),
  tool_stats: z.looseObject({
    total_calls: count,
    by_tool: z.record(z.string(), count),
    failures: count,
  }),
  last_known_environment: z.record(z.string(), z.unknown()),
  token_usage: z.looseObject({ total_input: count, total_output: count, by_session: count }),
});

/** The document of a session that has just begun. */
export function emptySessionDocument(sessionId: string): SessionDocument {
  return {
    session_id: sessionId,
    system_state: {},
    facts: [],
    recent_history: [],
    long_term_summary: '',
    active_tasks: [],
    tool_stats: { total_calls: 0, by_tool: {}, failures: 0 },
    last_known_environment: {},
    token_usage: { total_input: 0, total_output: 0, by_session: 0 },
  };
}
