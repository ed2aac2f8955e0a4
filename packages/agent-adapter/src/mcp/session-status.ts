import type { ContextStore } from '@ctx/store';

/** One paragraph on what is stored, of a session or of all. Cost: a count and one session. */
export async function sessionStatus(store: ContextStore, sessionId?: string): Promise<string> {
  const scope = sessionId === undefined ? {} : { sessionId };
  const { outputs, tokens } = await store.outputs.tally(scope);
  const where = sessionId === undefined ? 'In all sessions' : 'In this session';
  const stored = `${where} ${String(outputs)} tool outputs are stored, ${String(Math.round(tokens))} tokens in all.`;
  const session = sessionId === undefined ? undefined : await store.sessions.get(sessionId);
  const how = 'Find them with ctx_search_outputs, read them with ctx_read_output.';
  if (session === undefined) return `${stored}\n${how}`;
  const { facts, active_tasks: tasks, token_usage: usage } = session.document;
  return [
    stored,
    `${String(facts.length)} facts and ${String(tasks.length)} tasks are kept in mind; ${String(usage.total_input)} input and ${String(usage.total_output)} output tokens were used.`,
    how,
  ].join('\n');
}
