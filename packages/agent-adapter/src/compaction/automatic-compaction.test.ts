import { chain, extractive, type Summarizer, sectionTitles } from '@ctx/compactor';
import { isCtxError, type Message, sequenceIds, validateMessages } from '@ctx/core';
import { openStore } from '@ctx/store';
import { memoryBackend, type StoreBackend } from '@ctx/store/backend';
import { messageCounter } from '@ctx/tokens';
import {
  describeCall,
  openSessionWindow,
  openWindow,
  previewTexts,
  type SessionWindow,
  type Window,
  windowPolicy,
} from '@ctx/truncation';
import { describe, expect, it } from 'vitest';
import { automaticCompaction } from './automatic-compaction.ts';
import type { AutomaticCompactionOptions } from './compaction-options.ts';

const quarter = (text: string): number => Math.ceil(text.length / 4);

const text = (value: string) => ({ type: 'text', text: value }) as const;
const user = (value: string): Message => ({ role: 'user', content: [text(value)] });
const assistant = (value: string): Message => ({ role: 'assistant', content: [text(value)] });

/** Words of so many tokens, about. */
const words = (tokens: number, seed: string): string =>
  Array.from({ length: Math.ceil(tokens / 4) }, (_, at) => `word ${seed} ${String(at)}`).join(', ');

const policy = windowPolicy('default', {
  tailTokens: 1500,
  otherTailTokens: 1000,
  editTailTokens: 500,
  coldTailTokens: 500,
  partTailTokens: 2000,
});

const price = { read: 0.1, write: 1.25, lifetimeMs: 300_000 };

function plainWindow(windowTokens = 16_000): Window {
  return openWindow({
    ...{ policy, windowTokens, fixedTokens: 100, price },
    tokensOf: messageCounter({ counter: quarter }),
    previewText: previewTexts(),
    describeCall,
  });
}

async function sessionWindow(windowTokens = 16_000) {
  const backend = memoryBackend();
  const store = await openStore(backend, { tokenCounter: quarter, clock: () => 1000 });
  const window = await openSessionWindow({
    ...{ store, sessionId: 's', policy, windowTokens, fixedTokens: 100, price },
  });
  return { store, window };
}

/** Talk that no stand-in can shorten, over what fits; the user speaks last. */
const talk: readonly Message[] = [
  user('Port the parser. Never touch vendor/.'),
  ...Array.from({ length: 24 }, (_, at) => [
    assistant(`I port part ${String(at)}. ${words(1400, String(at))}`),
    user(`Part ${String(at)} is fine, go on.`),
  ]).flat(),
];

async function fill(window: Window | SessionWindow, messages = talk): Promise<void> {
  for (const message of messages) await window.insert(message);
}

const options: AutomaticCompactionOptions = { ids: sequenceIds('mark'), countTokens: quarter };

const good = (says: string): string =>
  sectionTitles.map((title) => `## ${title}\n- ${title === 'Goal' ? says : 'none'}`).join('\n');

function model(answer: () => string | Promise<string>): Summarizer {
  const draft = async () => ({ text: await answer(), finish: 'stop' }) as const;
  return { name: 'model', summarize: draft };
}

function shown(window: Window | SessionWindow): string {
  return JSON.stringify(window.view());
}

describe('a window that is compacted by itself', () => {
  it('is left alone while nothing is due, and says why', async () => {
    const window = plainWindow();
    await fill(window, talk.slice(0, 14));
    const before = shown(window);
    const { window: outcome, failures } = await automaticCompaction(
      window,
      options,
    ).beforeRequest();
    expect(outcome).toEqual({ compacted: false, why: 'not-yet' });
    expect(failures).toEqual([]);
    expect(shown(window)).toBe(before);
  });

  it('is compacted where stand-ins do not suffice, and its next request is valid and fits', async () => {
    const window = plainWindow();
    await fill(window);
    const made: unknown[] = [];
    const compaction = automaticCompaction(window, {
      ...{ ...options, pinned: () => ['The port is 8443.'] },
      onCompaction: (receipt) => void made.push(receipt),
    });
    const request = await compaction.request(0);
    const { window: outcome } = request.compaction;
    expect(outcome).toMatchObject({ compacted: true, why: 'full' });
    expect(outcome.summary).toMatchObject({ summarizer: 'extractive', trust: 'derived' });
    expect(outcome.receipt?.afterTokens).toBeLessThan((outcome.receipt?.beforeTokens ?? 0) / 2);
    expect(request.flush).toBeUndefined();
    expect(validateMessages(request.messages)).toEqual([]);
    expect(JSON.stringify(request.messages)).toContain('The port is 8443.');
    expect(JSON.stringify(request.messages)).toContain('Never touch vendor/.');
    expect(made).toEqual([request.compaction]);
  });

  it('is compacted where it pays by the rule, between two tasks only', async () => {
    const window = plainWindow(128_000);
    await fill(window);
    for (let at = 0; at < 400; at += 1) window.request(at);
    const use = { type: 'tool_use', id: 'a', name: 'Bash', input: {} } as const;
    window.insert({ role: 'assistant', content: [use] });
    const compaction = automaticCompaction(window, options);
    expect((await compaction.beforeRequest()).window.why).toBe('no-boundary');
    const result = { type: 'tool_result', toolUseId: 'a', content: [text('ok')] } as const;
    window.insert({ role: 'user', content: [result] });
    expect((await compaction.beforeRequest()).window.why).toBe('no-boundary');
    window.insert(assistant('Done.'));
    window.insert(user('And now the tests'));
    const whenFull = automaticCompaction(window, { ...options, whenItPays: false });
    expect((await whenFull.beforeRequest()).window.why).toBe('not-full');
    expect((await compaction.beforeRequest()).window).toMatchObject({
      compacted: true,
      why: 'pays',
    });
  });

  it('lets the model write, and keeps what is pinned though the model leaves it out', async () => {
    const window = plainWindow();
    await fill(window);
    const summarizer = model(() => good('Port the parser.'));
    const pinned = (): string[] => ['Never touch vendor/.'];
    const { window: outcome } = await automaticCompaction(window, {
      ...{ ...options, summarizer, pinned },
    }).beforeRequest();
    expect(outcome.summary?.summarizer).toBe('model');
    const summary = JSON.stringify(window.view()[1]);
    expect(summary).toContain('- Port the parser.');
    expect(summary).toContain('## Pinned');
  });

  it.each([
    ['throws', () => Promise.reject(new Error('no network'))],
    ['says nothing', () => ''],
    ['writes no sections', () => 'Sure, shall I go on?'],
    ['never ends', () => new Promise<string>(() => undefined)],
  ])('is compacted without a model where the model %s', async (_what, answer) => {
    const window = plainWindow();
    await fill(window);
    const summarizer = chain(model(answer), extractive());
    const { window: outcome } = await automaticCompaction(window, {
      ...{ ...options, summarizer, timeoutMs: 5 },
    }).beforeRequest();
    expect(outcome).toMatchObject({ compacted: true, summary: { summarizer: 'extractive' } });
  });

  it('loses nothing that comes in while the summary is written', async () => {
    const { window } = await sessionWindow();
    await fill(window);
    let answer = (_text: string): void => undefined;
    const asked = new Promise<void>((resolve) => {
      const summary = new Promise<string>((say) => {
        answer = say;
      });
      const summarizer = model(() => {
        resolve();
        return summary;
      });
      void automaticCompaction(window, { ...options, summarizer })
        .beforeRequest()
        .then(done);
    });
    let finished = (_receipt: unknown): void => undefined;
    const receipt = new Promise((resolve) => {
      finished = resolve;
    });
    function done(given: unknown): void {
      finished(given);
    }
    await asked;
    const late = [assistant('I saw the log.'), user(`Mind this: ${words(3000, 'late')}`)];
    await fill(window, late);
    answer(good('Port it.'));
    expect(await receipt).toMatchObject({ window: { compacted: true } });
    expect(window.view().slice(-2)).toEqual(late);
  });

  it('writes the summary anew where the messages are others now', async () => {
    const { window } = await sessionWindow();
    await fill(window);
    let count = 0;
    const summarizer = model(async () => {
      count += 1;
      if (count === 1) await window.compact({ summary: 'somebody else was faster' });
      return good('Port it.');
    });
    const compaction = automaticCompaction(window, { ...options, summarizer });
    const { window: outcome } = await compaction.compact();
    expect(outcome).toMatchObject({ compacted: false, why: 'nothing-leaves' });
    expect(shown(window)).toContain('somebody else was faster');
  });

  it('is as it was where the caller stops it', async () => {
    const window = plainWindow();
    await fill(window);
    const before = shown(window);
    const stop = new AbortController();
    const summarizer = model(() => {
      stop.abort();
      return good('too late');
    });
    const compaction = automaticCompaction(window, { ...options, summarizer });
    await expect(compaction.beforeRequest({ signal: stop.signal })).rejects.toSatisfy((error) =>
      isCtxError(error, 'CTX_ABORTED'),
    );
    expect(shown(window)).toBe(before);
    expect((await automaticCompaction(window, options).beforeRequest()).window.compacted).toBe(
      true,
    );
  });

  it('is asked once, however many ask at the same time', async () => {
    const window = plainWindow();
    await fill(window);
    let asked = 0;
    const summarizer = model(() => {
      asked += 1;
      return good('Port it.');
    });
    const compaction = automaticCompaction(window, { ...options, summarizer });
    const all = await Promise.all([1, 2, 3].map(() => compaction.beforeRequest()));
    expect(new Set(all).size).toBe(1);
    expect(asked).toBe(1);
  });

  it('renews the summary before: its pinned texts and its ledger live on', async () => {
    const { window } = await sessionWindow();
    const [task = user(''), ...rest] = talk;
    const rule = user('Always run the linter before a commit.');
    await fill(window, [task, assistant('I begin.'), rule, ...rest]);
    const compaction = automaticCompaction(window, options);
    await compaction.beforeRequest();
    await fill(window, rest);
    const second = await compaction.beforeRequest();
    expect(second.window).toMatchObject({ compacted: true, why: 'full' });
    const summaries = window.view().filter(({ extra }) => extra?.['compaction'] !== undefined);
    expect(summaries.map(({ extra }) => extra?.['compaction'])).toMatchObject([{ generation: 2 }]);
    expect(JSON.stringify(summaries)).toContain('Always run the linter before a commit.');
  });
});

describe('failures', () => {
  it('open a breaker until the user speaks', async () => {
    const window = plainWindow();
    await fill(window, [user('task'), ...talk.slice(1, 6)]);
    const huge = model(() => good(words(5000, 'x')));
    const compaction = automaticCompaction(window, {
      ...options,
      summarizer: huge,
      sizes: { summaryTokens: 0, annexTokens: 0, ledgerTokens: 0 },
    });
    const whys = [];
    for (let at = 0; at < 4; at += 1) whys.push((await compaction.compact()).window.why);
    expect(whys.slice(0, 3)).toEqual(['no-summary', 'no-summary', 'no-summary']);
    expect((await compaction.beforeRequest()).window.why).toBe('stuck');
    window.insert(assistant('Hm.'));
    window.insert(user('Try again'));
    expect((await compaction.beforeRequest()).window.why).not.toBe('stuck');
  });
});

describe('a refusal of the provider', () => {
  it('is answered by a request that fits, without asking any summariser', async () => {
    const window = plainWindow();
    await fill(window);
    let asked = 0;
    const counting = model(() => {
      asked += 1;
      return good('A summary.');
    });
    const compaction = automaticCompaction(window, { ...options, summarizer: counting });
    const refusal = { status: 400, message: 'prompt is too long: 30000 tokens > 16000 maximum' };
    expect(window.overflowed(refusal)).toBeDefined();
    const request = await compaction.request(2000);
    expect(request.compaction.window).toMatchObject({ compacted: false, why: 'refused' });
    expect(asked).toBe(0);
    window.observe({ inputTokens: request.tokens });
    await fill(window);
    await compaction.request(3000);
    expect(asked).toBeGreaterThan(0);
  });
});

describe('with a store', () => {
  it('each compaction of the window leaves a record that says what left and what it cost', async () => {
    const { store, window } = await sessionWindow();
    await fill(window);
    const { window: outcome } = await automaticCompaction(window, options).beforeRequest();
    const { entries } = await store.compactions.list('s');
    expect(entries).toMatchObject([{ sequence: outcome.record, trigger: 'window-full' }]);
    const record = await store.compactions.newest('s', 'window');
    expect(record).toMatchObject({
      ...{ strategy: 'extractive', durationMs: 0 },
      tokensBefore: outcome.receipt?.beforeTokens,
      tokensAfter: outcome.receipt?.afterTokens,
      messages: { from: 1, to: outcome.receipt?.to, pointer: outcome.receipt?.pointer },
    });
    expect(shown(window)).toContain(JSON.stringify(record?.summary).slice(1, 200));
    await window.rewind((record?.messages?.event ?? 0) - 1);
    expect(window.view()).toEqual(talk);
  });

  it('a compaction whose record cannot be written is not made at all', async () => {
    const backend = memoryBackend();
    const full: StoreBackend = {
      ...backend,
      write: (operations, writing) =>
        operations.some(({ collection }) => collection === 'compactions')
          ? Promise.reject(new Error('disk full'))
          : backend.write(operations, writing),
    };
    const given = { sessionId: 's', policy, windowTokens: 16_000, fixedTokens: 100, price };
    const store = await openStore(full, { tokenCounter: quarter, clock: () => 1000 });
    const window = await openSessionWindow({ ...given, store });
    await fill(window);
    const before = structuredClone(window.view());
    const compaction = automaticCompaction(window, options);
    await expect(compaction.beforeRequest()).rejects.toThrow('memory failed in write');
    const reopened = await openSessionWindow({ ...given, store });
    expect(reopened.view()).toEqual(before);
    expect((await store.compactions.list('s')).entries).toEqual([]);
  });

  it('the pinned facts of the session stand in the summary', async () => {
    const { store, window } = await sessionWindow();
    const memory = store.sessions.memory('s');
    await memory.addFact({ text: 'Deploys are on Tuesdays.', source: 'user', pinned: true });
    await fill(window);
    await automaticCompaction(window, options).beforeRequest();
    expect(JSON.stringify(window.view()[1])).toContain('Deploys are on Tuesdays.');
  });

  it('the document of the session is compacted on its own triggers', async () => {
    const { store, window } = await sessionWindow();
    await fill(window, talk.slice(0, 3));
    const compaction = automaticCompaction(window, options);
    expect((await compaction.beforeRequest()).session).toBeUndefined();
    const memory = store.sessions.memory('s');
    await memory.append(
      Array.from({ length: 51 }, (_, at) => ({ role: 'user', content: `said ${String(at)}` })),
    );
    const { session, window: outcome } = await compaction.beforeRequest();
    expect(outcome.compacted).toBe(false);
    expect(session?.compaction).toMatchObject({ trigger: 'entries' });
    expect((await store.sessions.get('s'))?.document.recent_history).toHaveLength(30);
    expect((await compaction.beforeRequest()).session).toBeUndefined();
    const off = automaticCompaction(window, { ...options, session: false });
    await memory.append(
      Array.from({ length: 51 }, (_, at) => ({ role: 'user', content: `more ${String(at)}` })),
    );
    expect((await off.beforeRequest()).session).toBeUndefined();
  });

  it('goes on after the process ended: the log alone tells what was summed up', async () => {
    const { store, window } = await sessionWindow();
    await fill(window);
    await automaticCompaction(window, options).beforeRequest();
    const before = shown(window);
    await window.close();
    const again = await openSessionWindow({
      ...{ store, sessionId: 's', policy, windowTokens: 16_000, fixedTokens: 100, price },
    });
    expect(shown(again)).toBe(before);
    await fill(again, talk.slice(1));
    await automaticCompaction(again, options).beforeRequest();
    expect(JSON.stringify(again.view()[1]?.extra)).toContain('"generation":2');
  });
});
