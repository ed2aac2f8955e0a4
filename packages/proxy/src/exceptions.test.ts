import { openStore } from '@ctx/store';
import { memoryBackend } from '@ctx/store/backend';
import { expect, it } from 'vitest';
import { createProxy } from './proxy.ts';
import {
  bodyOf,
  fileText,
  longWork,
  messagesAfter,
  type Step,
} from './test-support/scripted-agent.ts';

const bash = (command: string, result: Step['result']): Step => ({
  tool: 'Bash',
  input: { command },
  result,
});
const source = { type: 'base64', media_type: 'image/png', data: 'iVBORw0KGgo=' };
const kept: readonly Step[] = [
  { ...bash('npm test', fileText('failure', 40)), isError: true },
  bash('screenshot', [
    { type: 'text', text: 'the page' },
    { type: 'image', source },
  ]),
  bash('search tools', [{ type: 'tool_reference', tool_name: 'Monitor' }]),
];

it('errors, images and the tools that a search found stay through every flush', async () => {
  let now = 1e12;
  const proxy = createProxy({ store: await openStore(memoryBackend(), { clock: () => now }) });
  const steps = [...kept, ...longWork(60)];
  let last = '';
  for (let done = 0; done <= steps.length; done += 1) {
    now += done === 55 ? 600_000 : 20_000; // Then the cache is cold.
    const given = bodyOf(messagesAfter(steps.slice(0, done)));
    const headers = { 'x-claude-code-session-id': 's' };
    const request = { path: '/v1/messages', headers, body: Buffer.from(given) };
    last = (await proxy.exchange(request)).body ?? given;
  }
  expect(proxy.totals().flushes).toBeGreaterThan(0);
  for (const { result } of kept) expect(last).toContain(`"content":${JSON.stringify(result)}`);
});
