import type { ContextStore } from '@ctx/store';

/** What is stored, of a session or of all, in numbers and in one paragraph. */
export interface SessionStatus {
  readonly text: string;
  readonly data: Record<string, number>;
}

/** Counts what is stored, of a session or of all. Reads a count and one session. */
export async function sessionStatus(
  store: ContextStore,
  sessionId?: string,
): Promise<SessionStatus> {
  const scope = sessionId === undefined ? {} : { sessionId };
  const { outputs, tokens } = await store.outputs.tally(scope);
  const where = sessionId === undefined ? 'In all sessions' : 'In this session';
  const stored = `${where} ${String(outputs)} tool outputs are stored, ${String(Math.round(tokens))} tokens in all.`;
  const session = sessionId === undefined ? undefined : await store.sessions.get(sessionId);
  const how = 'Find them with ctx_search_outputs, read them with ctx_read_output.';
  const counts = { outputs, tokens: Math.round(tokens) };
  if (session === undefined) return { text: `${stored}\n${how}`, data: counts };
  const { facts, active_tasks: tasks, token_usage: usage } = session.document;
  const text = [
    stored,
    `${String(facts.length)} facts and ${String(tasks.length)} tasks are kept in mind; ${String(usage.total_input)} input and ${String(usage.total_output)} output tokens were used.`,
    how,
  ].join('\n');
  const learned = { facts: facts.length, tasks: tasks.length };
  const used = { inputTokens: usage.total_input, outputTokens: usage.total_output };
  return { text, data: { ...counts, ...learned, ...used } };
}
