import type { Answers } from './show-page.tsx';

const at = '2026-01-01T00:00:00.000Z';
const segment = {
  segment: 0,
  message: 0,
  kind: 'result',
  toolName: 'Read',
  form: 'whole',
  why: 'in the window, unchanged',
  tokensBefore: 900,
  tokensAfter: 900,
  pointer: 'ctx://outputs/Read_1',
  shown: 'the whole file',
};
const left = {
  ...segment,
  form: 'ledger',
  cause: 'hard',
  why: 'evicted with its call: one line remains; the window was full',
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
export const request: Readonly<Record<string, unknown>> = {
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
export const output: Readonly<Record<string, unknown>> = {
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
/** A small store, as the server tells of it. */
export const answers: Answers = {
  '/v1/sessions': { sessions: [{ id: 's', agentId: 'ada', createdAt: at, updatedAt: at }] },
  '/v1/sessions/s': {
    session: { id: 's', agentId: 'ada', createdAt: at, updatedAt: at },
    version: 1,
    document: {},
  },
  '/v1/sessions/s/view': { number: 3, ...sizes, kinds, segments: [left] },
  '/v1/sessions/s/view?characters=240&limit=1000&at=1': {
    number: 1,
    ...sizes,
    kinds,
    segments: [segment],
  },
  '/v1/sessions/s/view/0': left,
  '/v1/sessions/s/view/0?at=1': segment,
  '/v1/sessions/s/cost': { models: [], carriedTokens: 0, everythingTokens: 0 },
  '/v1/sessions/s/hints': { hints: [], leftOut: 0, pricesDate: '2026-01-01' },
  '/v1/sessions/s/use': {
    use: {
      source: 'transcript',
      windowTokens: 200_000,
      isAssumed: true,
      tokens: 1900,
      parts: [
        { part: 'user', tokens: 400 },
        { part: 'results', tokens: 1500 },
      ],
      freeTokens: 190_100,
      reserveTokens: 8000,
    },
  },
  '/v1/sessions/s/replays': { id: 'r', state: 'done', step: 0, steps: 0 },
  '/v1/sessions/s/requests': {
    requests: [
      request,
      { ...request, number: 2, sequence: 6, flush, cause: 'messages' },
      { ...request, number: 3, sequence: 8, cause: 'model' },
    ],
    total: 3,
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
  '/v1/agents/ada/items?limit=200&archived=true': { items: [] },
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
  '/v1/agents/ada/facts': {
    facts: [
      {
        id: 'f1',
        text: 'I moved to <b>Berlin</b>',
        quote: 'Well, I moved to <b>Berlin</b>',
        address: 'ctx://messages/7',
        pinned: true,
        kind: 'identity',
        source: 'user',
        validFrom: at,
        sessions: ['s'],
      },
      { id: 'f0', text: 'I live in Bern', source: 'user', validFrom: at, validTo: at },
    ],
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
  '/v1/agents/ada/items/search?q=none': { hits: [] },
  '/v1/outputs': { outputs: [output] },
  '/v1/outputs/search': { hits: [{ score: 1, match: 'all', output }] },
  '/v1/outputs/Read_1': { output, args: { file_path: 'a.ts' }, result: 'the whole file' },
  '/v1/outputs/Read_1/text': { text: 'the whole file\n'.repeat(40), totalLines: 40 },
  '/v1/key': { scope: 'admin', tenant: 'default' },
  '/v1/costs': { costs: [] },
  '/v1/stats': {
    backend: 'sqlite',
    outputs: { count: 136, bytes: 1_048_576, tokens: 200_000 },
    live: { oldest: 1, newest: 10 },
  },
};
