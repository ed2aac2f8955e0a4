import { automaticCompaction } from '@ctx/agent-adapter';
import { type ContentBlock, type Message, repairMessages, validateMessages } from '@ctx/core';
import { openStore } from '@ctx/store';
import { memoryBackend } from '@ctx/store/backend';
import type { CachePrice } from '@ctx/truncation';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { classic } from './policies/classic.ts';
import { none } from './policies/none.ts';
import { offload } from './policies/offload.ts';
import { type ReplayedRequest, type ReplayOptions, replaySession } from './replay.ts';
import type { ReplayPolicy } from './replay-policy.ts';
import type { ReplayReport } from './replay-report.ts';
import type { ReplaySession } from './replay-session.ts';

/** What `npm test` tries of what the campaign does. */
const share = process.env['CTX_TEST_CAMPAIGN'] === '1' ? 1 : 0.2;

const comparedPolicies = [none, classic, offload];
const words = (text: string): number => text.split(/\s+/).filter((word) => word !== '').length;
const anthropic: CachePrice = {
  name: 'test',
  read: 0.1,
  write: 1.25,
  minimumTokens: 10,
  granularity: 1,
  lifetimeMs: 300_000,
  output: 5,
  dollarsPerMillion: 3,
};

const user = (text: string): Message => ({ role: 'user', content: [{ type: 'text', text }] });
const call = (id: string, name: string, input: unknown): Message => ({
  role: 'assistant',
  content: [{ type: 'tool_use', id, name, input }],
});
const result = (toolUseId: string, text: string): Message => ({
  role: 'user',
  content: [{ type: 'tool_result', toolUseId, content: [{ type: 'text', text }] }],
});

const file = Array.from(
  { length: 40 },
  (_, index) => `    ${String(index + 1)}→const v${String(index)} = 1;`,
);
const log = Array.from({ length: 3000 }, (_, index) => `test ${String(index)} passed`).join('\n');

const session: ReplaySession = {
  id: 'demo',
  system: 'You are careful.',
  messages: [
    user('Fix the test'),
    call('r', 'Read', { file_path: 'a.ts' }),
    result('r', file.join('\n')),
    call('t', 'Bash', { command: 'npm test' }),
    result('t', log),
    call('e', 'Edit', {
      file_path: 'a.ts',
      old_string: 'const v3 = 1;\nconst v4 = 1;',
      new_string: '',
    }),
    result('e', 'done'),
    call('f', 'Edit', { file_path: 'b', old_string: 'test 1500 passed', new_string: '' }),
    result('f', 'done'),
    call('g', 'Edit', { file_path: 'b', old_string: 'never seen anywhere', new_string: '' }),
    result('g', 'done'),
    { role: 'assistant', content: [{ type: 'text', text: 'Done.' }] },
  ],
};

async function replay(options: Partial<ReplayOptions> = {}): Promise<ReplayReport> {
  const store = await openStore(memoryBackend(), { tokenCounter: words });
  const fixed = {
    store,
    policies: comparedPolicies,
    price: anthropic,
    countTokens: words,
    compactWindow: automaticCompaction,
  };
  return replaySession(session, { ...fixed, ...options });
}

describe('replaySession', () => {
  it('renders one request an answer under every policy, all valid, and stores every output', async () => {
    const requests: ReplayedRequest[] = [];
    const report = await replay({ onRequest: (request) => void requests.push(request) });
    expect(report).toMatchObject({
      requests: 6,
      messages: 12,
      saved: { outputs: 5, offloaded: 1, shared: 0, redacted: 0 },
    });
    expect(requests).toHaveLength(18);
    expect(
      report.policies.map(({ policy, invalid, overWindow }) => [policy, invalid, overWindow]),
    ).toEqual([
      ['none', 0, 0],
      ['classic', 0, 0],
      ['offload', 0, 0],
    ]);
    const sizes = requests
      .filter(({ policy }) => policy === 'none')
      .map(({ messages }) => messages.length);
    expect(sizes).toEqual([1, 3, 5, 7, 9, 11]);
  });

  it('counts which edits found their old lines in view, and which behind a pointer', async () => {
    const report = await replay();
    const evidence = Object.fromEntries(
      report.policies.map((policy) => [policy.policy, policy.evidence]),
    );
    expect(evidence['none']).toEqual({ edits: 2, inView: 2, recoverable: 2 });
    expect(evidence['offload']).toEqual({ edits: 2, inView: 1, recoverable: 2 });
  });

  it('finds every output recoverable when large ones left a pointer, and says what it saved', async () => {
    const report = await replay();
    const [none, , offload] = report.policies;
    expect(offload?.outputs).toEqual({ total: 5, recoverable: 5 });
    expect(offload?.cost.inputTokens).toBeLessThan((none?.cost.inputTokens ?? 0) / 3);
    expect(offload?.cost.prefixBreaks).toBe(0);
    expect(none?.cost.hitRate).toBeGreaterThan(0.5);
  });

  it('counts requests over the window, and outputs that the classic policy lost', async () => {
    const report = await replay({ windowTokens: 5000 });
    const [none, classic] = report.policies;
    expect(none?.overWindow).toBe(4);
    expect(classic?.overWindow).toBeLessThan(4);
    expect(classic?.outputs.recoverable).toBeLessThan(5);
    expect(classic?.invalid).toBe(0);
  });

  it('is the same every time', async () => {
    expect(await replay()).toEqual(await replay());
  });

  it('lets policies plan with other prices than those that requests are priced with', async () => {
    const seen: string[] = [];
    const watching: ReplayPolicy = {
      name: 'watching',
      description: 'tells what it was told',
      start: (context) => {
        seen.push(context.price.name);
        return none.start(context);
      },
    };
    const dear = { ...anthropic, name: 'dear', output: 50 };
    const store = await openStore(memoryBackend());
    const fixed = {
      store,
      policies: [watching],
      price: dear,
      countTokens: words,
      compactWindow: automaticCompaction,
    };
    const one = await replaySession(session, { ...fixed, plannedPrice: anthropic });
    const other = await replaySession({ ...session, id: 'other' }, fixed);
    expect(seen).toEqual(['test', 'dear']);
    expect(one.policies[0]?.cost).toEqual(other.policies[0]?.cost);
  });

  it('stops when asked to', async () => {
    const controller = new AbortController();
    const stopped = replay({
      signal: controller.signal,
      onProgress: ({ step }) => {
        if (step === 2) controller.abort();
      },
    });
    await expect(stopped).rejects.toMatchObject({ code: 'CTX_ABORTED' });
  });

  it('renders valid requests from any history, and everything comes back under offload', async () => {
    const bulk = 'word '.repeat(60);
    const text = fc
      .constantFrom('short', bulk)
      .map((said): ContentBlock => ({ type: 'text', text: said }));
    const opaque: fc.Arbitrary<ContentBlock> = fc.constant({
      type: 'opaque',
      format: 'anthropic:image',
      data: { type: 'image', source: { data: bulk } },
    });
    const id = fc.constantFrom('a', 'b', 'c', 'd', 'e');
    const use = id.map((id): ContentBlock => ({ type: 'tool_use', id, name: 'Bash', input: {} }));
    const inside = fc.array(fc.oneof(text, opaque), { maxLength: 3 });
    const answer = fc
      .record({ toolUseId: id, content: inside })
      .map((block): ContentBlock => ({ type: 'tool_result', ...block }) as ContentBlock);
    const content = fc.array(fc.oneof(text, opaque, use, answer), { minLength: 1, maxLength: 4 });
    const role = fc.constantFrom<Message['role']>(
      'user',
      'user',
      'assistant',
      'assistant',
      'system',
    );
    const history = fc.array(fc.record({ role, content }), { minLength: 1, maxLength: 30 });
    await fc.assert(
      fc.asyncProperty(history, async (messages) => {
        const given = { id: 'any', messages: repairMessages(messages).messages };
        const before = JSON.stringify(given);
        const store = await openStore(memoryBackend(), { tokenCounter: words });
        const report = await replaySession(given, {
          store,
          policies: comparedPolicies,
          price: anthropic,
          countTokens: words,
          compactWindow: automaticCompaction,
          windowTokens: 400,
          record: { offloadFromTokens: 40, previewTokens: 10 },
          onRequest: ({ messages: request }) => {
            expect(validateMessages(request)).toEqual([]);
          },
        });
        expect(report.policies.map(({ invalid }) => invalid)).toEqual([0, 0, 0]);
        const { total, recoverable } = report.policies[2]?.outputs ?? { total: 0, recoverable: 1 };
        expect(recoverable).toBe(total);
        expect(JSON.stringify(given)).toBe(before);
      }),
      { numRuns: 100 * share },
    );
  });

  it('leaves results with images in view: they are no text that a preview could stand for', async () => {
    const image: ContentBlock = { type: 'opaque', format: 'anthropic:image', data: { x: 1 } };
    const shot: Message = {
      role: 'user',
      content: [
        { type: 'tool_result', toolUseId: 't', content: [{ type: 'text', text: log }, image] },
      ],
    };
    const requests: ReplayedRequest[] = [];
    const store = await openStore(memoryBackend(), { tokenCounter: words });
    const messages = [user('Look'), call('t', 'Shot', {}), shot, call('u', 'Bash', {})];
    await replaySession(
      { id: 'image', messages: repairMessages(messages).messages },
      {
        store,
        policies: comparedPolicies,
        price: anthropic,
        countTokens: words,
        compactWindow: automaticCompaction,
        onRequest: (request) => void requests.push(request),
      },
    );
    expect(requests.at(-1)?.policy).toBe('offload');
    expect(requests.at(-1)?.messages[2]).toBe(shot);
  });

  it('takes all assistant messages of an answer for its output and its edits', async () => {
    const said: Message = { role: 'assistant', content: [{ type: 'text', text: 'let me see' }] };
    const split = session.messages.flatMap((message) =>
      message.role === 'assistant' ? [said, message] : [message],
    );
    const store = await openStore(memoryBackend(), { tokenCounter: words });
    const fixed = {
      store,
      policies: comparedPolicies,
      price: anthropic,
      countTokens: words,
      compactWindow: automaticCompaction,
    };
    const whole = await replay();
    const parts = await replaySession({ ...session, messages: split }, fixed);
    expect(parts.policies[0]?.evidence).toEqual(whole.policies[0]?.evidence);
    expect(parts.policies[0]?.cost.outputTokens).toBe(
      (whole.policies[0]?.cost.outputTokens ?? 0) + 6 * 7,
    );
  });

  it('does not change the session', async () => {
    const before = JSON.stringify(session);
    await replay({ windowTokens: 3000 });
    expect(JSON.stringify(session)).toBe(before);
  });
});
