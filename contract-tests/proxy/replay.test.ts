import { automaticCompaction } from '@ctx/agent-adapter';
import type { Message } from '@ctx/core';
import { createRedactor } from '@ctx/redact';
import { replayPolicies, replaySession } from '@ctx/replay';
import { openStore } from '@ctx/store';
import { memoryBackend } from '@ctx/store/backend';

import { cachePriceOf } from '@ctx/truncation';
import { expect, it } from 'vitest';
import { proxyPolicy } from '../../bench/proxy/proxy-policy.ts';
import { tokenCounterFor } from '../../packages/tokens/src/index.ts';

const steps = 380;

/** A file that changes from reading to reading. */
function source(file: number, step: number): string {
  const line = (at: number): string =>
    `export const value${String(file)}_${String(at)} = compute(${String(at * 7 + file)}, ${String(step)});`;
  return Array.from({ length: 15 }, (_, at) => line(at)).join('\n');
}

/** Reads files, and edits every fourth: most of what it read leaves. */
function worked(step: number): Message[] {
  const path = `src/part-${String(step % 40)}/module-${String(step)}.ts`;
  const id = `call_${String(step)}`;
  const text = source(step, step);
  const [first = ''] = text.split('\n');
  const isEdit = step % 4 === 3;
  const input = isEdit ? { path, old_string: first, new_string: `${first} // seen` } : { path };
  return [
    {
      role: 'assistant',
      content: [
        { type: 'text', text: `Now ${path}.` },
        { type: 'tool_use', id, name: isEdit ? 'Edit' : 'Read', input },
      ],
    },
    {
      role: 'user',
      content: [
        {
          type: 'tool_result',
          toolUseId: id,
          content: [{ type: 'text', text: isEdit ? `${path} was changed.` : text }],
        },
      ],
    },
  ];
}

const messages: readonly Message[] = [
  { role: 'user', content: [{ type: 'text', text: 'Go through all modules.' }] },
  ...Array.from({ length: steps }, (_, step) => worked(step)).flat(),
  { role: 'assistant', content: [{ type: 'text', text: 'All modules are done.' }] },
];

it('a session through the proxy costs within 1 % of what its replay shows, with the same evidence in view', async () => {
  const countTokens = tokenCounterFor();
  const redactor = createRedactor({ mode: 'off' });
  const store = await openStore(memoryBackend(), { redactor, tokenCounter: countTokens });
  const seen = { requests: 0, flushes: 0, failedOpen: 0 };
  const policies = [
    ...replayPolicies.filter(({ name }) => ['none', 'ctx-proxy'].includes(name)),
    proxyPolicy('default', seen),
  ];
  const session = { id: 'recorded', messages };
  const price = cachePriceOf('anthropic-5m');
  const report = await replaySession(session, {
    ...{ store, policies, price, windowTokens: 200_000, countTokens },
    compactWindow: automaticCompaction,
  });
  await store.close();
  const [none, replayed, sent] = report.policies;
  if (none === undefined || replayed === undefined || sent === undefined) throw new Error('none');
  expect(seen.flushes).toBeGreaterThan(0);
  expect(replayed.cost.ute).toBeLessThan(0.9 * none.cost.ute);
  expect(Math.abs(sent.cost.ute / replayed.cost.ute - 1)).toBeLessThan(0.01);
  expect([sent.evidence, sent.outputs, sent.invalid, sent.overWindow]).toEqual([
    replayed.evidence,
    replayed.outputs,
    0,
    0,
  ]);
  expect(sent.outputs.recoverable).toBe(sent.outputs.total);
});
