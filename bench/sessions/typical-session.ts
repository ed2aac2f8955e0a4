import { emptySessionDocument, type HistoryEntry, type SessionDocument } from '@ctx/store';

const words =
  'parser stream buffer error retry worker queue index cache token schema field branch merge deploy'.split(
    ' ',
  );

/** About `length` characters of the same words for the same seed. */
function textOf(seed: number, length: number): string {
  let text = '';
  for (let at = seed; text.length < length; at = (at * 7 + 3) % 1009) {
    text += `${words[at % words.length] ?? ''} ${String(at)} `;
  }
  return text;
}

/** A history of `count` entries in turns of user, assistant and two tool results. */
export function historyOf(
  count: number,
  entryCharacters: number,
  isCounted: boolean,
): HistoryEntry[] {
  const roles = ['user', 'assistant', 'tool', 'tool'];
  return Array.from({ length: count }, (_, at) => {
    const content = textOf(at, entryCharacters);
    const tokens = isCounted ? { token_count: Math.ceil(content.length / 4) } : {};
    return { timestamp: 1_708_654_000 + at, role: roles[at % 4] ?? 'user', content, ...tokens };
  });
}

/** A session as it looks in the middle of the work, of about `bytes` of JSON. */
export function typicalSession(id: string, bytes: number): SessionDocument {
  const entries = 50;
  const facts = Array.from({ length: 40 }, (_, at) => `Fact ${String(at)}: ${textOf(at, 60)}`);
  const summary = textOf(5, 12_000);
  const left = bytes - summary.length - facts.join('').length;
  return {
    ...emptySessionDocument(id),
    facts,
    long_term_summary: summary,
    recent_history: historyOf(entries, Math.max(100, left / entries - 110), true),
    tool_stats: { total_calls: 42, by_tool: { read: 20, write: 15, bash: 7 }, failures: 2 },
  };
}
