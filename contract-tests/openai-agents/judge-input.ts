import type { AgentInputItem } from '@openai/agents-core';

const ids = (items: readonly AgentInputItem[], type: string): string[] =>
  items.flatMap((item) =>
    item.type === type && 'callId' in item && typeof item.callId === 'string' ? [item.callId] : [],
  );

/** What the provider would refuse in an input; empty where it takes it. */
export function problemsOf(items: readonly AgentInputItem[]): readonly string[] {
  const problems: string[] = [];
  const called = new Set<string>();
  for (const item of items) {
    if (item.type === 'function_call') called.add(item.callId);
    if (item.type === 'function_call_result' && !called.has(item.callId)) {
      problems.push(`a result of ${item.callId} without its call before it`);
    }
  }
  const results = ids(items, 'function_call_result');
  for (const id of called) {
    const count = results.filter((each) => each === id).length;
    if (count !== 1) problems.push(`${String(count)} results of ${id}`);
  }
  return problems;
}
