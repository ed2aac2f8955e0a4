// @vitest-environment happy-dom
import { afterEach, describe, expect, it } from 'vitest';
import { type Answers, type ShownPage, showPage } from '../test-support/show-page.tsx';

const at = '2026-01-01T00:00:00.000Z';
const segment = {
  segment: 0,
  message: 0,
  kind: 'result',
  toolName: 'Read',
  form: 'whole',
  why: 'in the view as it came in',
  tokensBefore: 900,
  tokensAfter: 900,
  pointer: 'ctx://outputs/Read_1',
  shown: 'the whole file',
};
const left = {
  ...segment,
  form: 'ledger',
  cause: 'hard',
  why: 'left with its call: one line stays; the window was full',
  tokensAfter: 40,
  shown: '[Read → ctx://outputs/Read_1]',
  original: 'the whole file',
};
const sizes = {
  requests: 2,
  tokens: 1000,
  fixedTokens: 100,
  limitTokens: 14_000,
  windowTokens: 16_000,
};
const kinds = [{ kind: 'result', segments: 1, tokensBefore: 900, tokensAfter: 900 }];
const request = {
  number: 1,
  sequence: 3,
  at,
  tokens: 1000,
  limitTokens: 14_000,
  windowTokens: 16_000,
  predictedTokens: 0,
};
const flush = { cause: 'hard', edits: 1, beforeTokens: 15_000, afterTokens: 9000 };
const item = {
  id: 'item-1',
  agentId: 'ada',
  kind: 'TASK',
  tier: 'hot',
  importance: 0.9,
  tokens: 12,
  accessCount: 3,
  createdAt: at,
  updatedAt: at,
  lastAccessedAt: at,
  pinned: false,
  archived: false,
  source: 'agent',
  trust: 'trusted',
  fingerprint: 'f',
};
const none = { items: 0, tokens: 0 };
const output = {
  pointer: 'ctx://outputs/Read_1',
  id: 'Read_1',
  sessionId: 's',
  toolName: 'Read',
  description: 'file_path=a.ts',
  createdAt: at,
  sequence: 0,
  bytes: 2048,
  tokens: 900,
  lines: 40,
  fingerprint: 'f',
  preview: 'the whole',
};
const answers: Answers = {
  '/v1/sessions': { sessions: [{ id: 's', agentId: 'ada', createdAt: at, updatedAt: at }] },
  '/v1/sessions/s': {
    session: { id: 's', agentId: 'ada', createdAt: at, updatedAt: at },
    version: 1,
    document: {},
  },
  '/v1/sessions/s/view': { number: 3, ...sizes, kinds, segments: [left] },
  '/v1/sessions/s/view?characters=1&at=1': { number: 1, ...sizes, kinds, segments: [segment] },
  '/v1/sessions/s/requests': {
    requests: [request, { ...request, number: 2, sequence: 6, flush, cause: 'messages' }],
    total: 2,
  },
  '/v1/sessions/s/compactions': {
    compactions: [
      {
        sequence: 0,
        at,
        state: 'applied',
        trigger: 'manual',
        strategy: 'extractive',
        tokensBefore: 500,
        tokensAfter: 50,
      },
    ],
  },
  '/v1/sessions/s/compactions/0': {
    compaction: {
      sequence: 0,
      at,
      state: 'applied',
      trigger: 'manual',
      strategy: 'extractive',
      tokensBefore: 500,
      tokensAfter: 50,
    },
    summary: 'They ported the parser.',
    summarised: [{ index: 0, entry: { role: 'user', content: 'Port the parser' } }],
    offloaded: [],
    factsDropped: [],
    tasksPruned: [],
    before: {},
    after: {},
    keptEntries: 3,
  },
  '/v1/agents': { agents: ['ada'] },
  '/v1/agents/ada/items': { items: [item] },
  '/v1/agents/ada/items/item-1': {
    item: { ...item, content: 'Port <b>the</b> parser' },
    why: { weight: 1, boost: 1.2, decay: 0.75, ageMs: 7_200_000, rank: 1 },
  },
  '/v1/agents/ada/items/stats': {
    items: 1,
    tokens: 12,
    tiers: [
      { tier: 'hot', items: 1, tokens: 12 },
      { tier: 'warm', ...none },
      { tier: 'cold', ...none },
    ],
    archived: none,
  },
  '/v1/agents/ada/checkpoints': {
    checkpoints: [
      {
        id: 'c',
        agentId: 'ada',
        sequence: 4,
        at,
        trigger: 'manual',
        label: 'before lunch',
        hot: none,
        warm: none,
        cold: none,
        archived: none,
      },
    ],
  },
  '/v1/outputs': { outputs: [output] },
  '/v1/outputs/search': { hits: [{ score: 1, output }] },
  '/v1/outputs/Read_1': { output, args: { file_path: 'a.ts' }, result: 'the whole file' },
  '/v1/outputs/Read_1/text': { text: 'the whole file', totalLines: 40, from: 1, to: 40 },
  '/v1/stats': {
    backend: 'sqlite',
    outputs: { count: 136, bytes: 1_048_576, tokens: 200_000 },
    live: { oldest: 1, newest: 10 },
  },
};

let page: ShownPage | undefined;
afterEach(() => page?.close());

async function textAt(address: string, more: Answers = {}): Promise<string> {
  page = await showPage(address, { ...answers, ...more });
  return page.text();
}

describe('the views', () => {
  it('sessions: lists each with its agent, and says what to do where there is none', async () => {
    expect(await textAt('/sessions')).toContain('ada');
    await page?.close();
    expect(await textAt('/sessions', { '/v1/sessions': { sessions: [] } })).toContain(
      'No session yet',
    );
  });

  it('context panel: says what is in the window, what is free and what left', async () => {
    const text = await textAt('/sessions/s');
    for (const part of [
      '1,000',
      '14,000',
      'tool results',
      'free',
      'kept for the answer',
      '6,000 tokens left',
    ]) {
      expect(text).toContain(part);
    }
  });

  it('timeline: shows each request with what happened', async () => {
    const text = await textAt('/sessions/s/timeline');
    expect(text).toContain('6,000 left: the window was full');
    expect(text).toContain('cache: messages');
  });

  it('what left: lists flushes and compactions with why', async () => {
    const text = await textAt('/sessions/s/left');
    expect(text).toContain('Flush for request 2');
    expect(text).toContain('summed up by extractive');
  });

  it('flush: shows what changed since the request before, and a way back', async () => {
    const text = await textAt('/sessions/s/flush/2');
    expect(text).toContain('15,000 → 9,000 tokens');
    expect(text).toContain('left with its call');
    expect(text).toContain('Bring all of it back');
  });

  it('compaction: shows what was summed up beside the summary', async () => {
    const text = await textAt('/sessions/s/compaction/0');
    expect(text).toContain('Port the parser');
    expect(text).toContain('They ported the parser.');
    expect(text).toContain('Take it back');
  });

  it('items: the tiers with numbers; an item with its score, its content as text', async () => {
    const text = await textAt('/agents/ada?item=item-1');
    expect(text).toContain('Port <b>the</b> parser');
    expect(text).toContain('weight × decay × boost');
    expect(text).toContain('0.750');
    expect(page?.find('main b')).toBeNull();
  });

  it('items: a tier that is clicked stands in the address', async () => {
    await textAt('/agents/ada');
    await page?.click('.pie button');
    expect(location.search).toBe('?tier=hot');
  });

  it('checkpoints: asks before it restores', async () => {
    await textAt('/agents/ada/checkpoints');
    expect(page?.find('dialog')).toBeNull();
    await page?.click('.actions button');
    expect(page?.find('dialog')?.textContent).toContain('Restore checkpoint 4?');
  });

  it('outputs: lists, searches and reads in parts', async () => {
    expect(await textAt('/sessions/s/outputs')).toContain('file_path=a.ts');
    await page?.close();
    expect(await textAt('/outputs?q=file')).toContain('Read');
    await page?.close();
    const text = await textAt('/outputs/Read_1');
    expect(text).toContain('Lines 1 to 40 of 40');
    expect(text).toContain('the whole file');
  });

  it('statistics: says what the store holds', async () => {
    const text = await textAt('/statistics');
    for (const part of ['sqlite', '136', '200,000', '1.0 MB']) expect(text).toContain(part);
  });

  it('asks for a key where the server refuses', async () => {
    const refusal = Response.json({ title: 'No key' }, { status: 401 });
    expect(await textAt('/statistics', { '/v1/stats': refusal })).toContain('A key is needed');
  });

  it('says what the server said where something fails', async () => {
    const problem = Response.json({ title: 'Gone', detail: 'The disk is full.' }, { status: 507 });
    expect(await textAt('/statistics', { '/v1/stats': problem })).toContain('The disk is full.');
  });
});
