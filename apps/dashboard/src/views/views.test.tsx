// @vitest-environment happy-dom
import { afterEach, describe, expect, it } from 'vitest';
import { answers, output, request } from '../test-support/answers.ts';
import { type Answers, type ShownPage, showPage } from '../test-support/show-page.tsx';

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
      'No sessions yet',
    );
  });

  it('sessions: finds by name, and says where none matches', async () => {
    expect(await textAt('/sessions?q=ADA')).not.toContain('No session is called');
    await page?.close();
    const none = { '/v1/sessions?limit=200&q=nobody': { sessions: [] } };
    expect(await textAt('/sessions?q=nobody', none)).toContain('No matching session');
  });

  it('agents: lists each with its tiers, and says what to do where there is none', async () => {
    const text = await textAt('/agents');
    expect(text).toContain('ada');
    expect(text).toContain('hot: in the context');
    expect(page?.find('main a[href="/agents/ada"]')).not.toBeNull();
    await page?.close();
    expect(await textAt('/agents', { '/v1/agents': { agents: [] } })).toContain(
      'No agent has items yet',
    );
  });

  it('context panel: says what is in the window, what is free and what left', async () => {
    const text = await textAt('/sessions/s');
    for (const part of [
      '1,000',
      '14,000',
      'tool results',
      'free',
      'reserved for output',
      '6,000 tokens removed',
    ]) {
      expect(text).toContain(part);
    }
  });

  it('context panel: says that no request was made yet', async () => {
    const view = { number: 1, requests: 0, tokens: 0, fixedTokens: 0, limitTokens: 1 };
    const none = { ...view, windowTokens: 1, kinds: [], segments: [] };
    const text = await textAt('/sessions/s', { '/v1/sessions/s/view': none });
    expect(text).toContain('No requests yet');
  });

  it('an imported session: says what its agent sent and what ctx would have sent, and offers no rewind', async () => {
    const imported = { messagesAside: 199 };
    const timeline = answers['/v1/sessions/s/requests'] as object;
    const more = { '/v1/sessions/s/requests': { ...timeline, imported } };
    const text = await textAt('/sessions/s/flush/2?as=default', more);
    expect(text).toContain('No agent sent these requests');
    expect(text).toContain('199 earlier messages had been compacted and are not replayed.');
    expect(text).not.toContain('Rewind');
    await page?.close();
    expect(await textAt('/sessions/s/flush/2')).not.toContain('was imported');
  });

  it('an imported session: is shown as recorded where the address names no mode', async () => {
    const imported = { messagesAside: 0 };
    const timeline = { ...(answers['/v1/sessions/s/requests'] as object), imported };
    const more = { '/v1/sessions/s/requests?from=1&mode=recorded': timeline };
    expect(await textAt('/sessions/s/timeline', more)).toContain('The transcript reports no usage');
    expect(location.search).toBe('');
  });

  it('an imported session: shows on demand what its agent sent, and which sizes were reported', async () => {
    const timeline = {
      ...(answers['/v1/sessions/s/requests'] as object),
      imported: { messagesAside: 2 },
    };
    const reported = { inputTokens: 7777, cachedTokens: 7000 };
    const recorded = {
      ...timeline,
      requests: [
        { ...request, tokens: 7777, estimatedTokens: 6000, reported },
        { ...request, number: 2, sequence: 9 },
        { ...request, number: 3, sequence: 11, tokens: 8888, reported: { inputTokens: 8888 } },
      ],
    };
    const text = await textAt('/sessions/s/timeline?as=recorded', {
      '/v1/sessions/s/requests': timeline,
      '/v1/sessions/s/requests?from=1&mode=recorded': recorded,
    });
    expect(text).toContain('The provider reported 2 of 3 sizes; the others are estimated.');
    expect(text).toContain('2 earlier messages were removed by its compactions.');
    const rows = page?.texts('.request-row:not(.list-head)') ?? [];
    expect(rows[0]).toContain('8,888');
    expect(rows[0]).toContain('cache estimated');
    expect(rows[1]).toContain('estimated');
    expect(rows[2]).toContain('7,77790.0%reported');
    await page?.click('nav[aria-label="Views of the session"] a');
    expect(location.search).toBe('?as=recorded');
  });

  it('each view: has its own title', async () => {
    const titles = ['/sessions', '/sessions/s/timeline', '/agents/ada/facts', '/outputs/Read_1'];
    const seen: string[] = [];
    for (const address of titles) {
      await textAt(address);
      seen.push(document.title);
      await page?.close();
    }
    expect(seen).toEqual([
      'Sessions · ctx',
      'Timeline · s · ctx',
      'Facts · ada · ctx',
      'Read · Output · ctx',
    ]);
  });

  it('sessions: the server searches, and the next page is there on demand', async () => {
    const entry = {
      id: 'old',
      title: 'port the parser',
      createdAt: '',
      updatedAt: '2026-01-01T00:00:00.000Z',
    };
    const more = {
      '/v1/sessions?limit=200&q=parser': { sessions: [], next: 'c1' },
      '/v1/sessions?limit=200&q=parser&cursor=c1': { sessions: [entry] },
    };
    expect(await textAt('/sessions?q=parser', more)).not.toContain('No matching session');
    await page?.click('main > button');
    expect(page?.text()).toContain('port the parser');
  });

  it('removed from context: adds up, in the same figures as the context panel', async () => {
    const kinds = [{ kind: 'result', segments: 1, tokensBefore: 900, tokensAfter: 40 }];
    const sizes = { kinds, tokens: 100, fixedTokens: 60 };
    const view = { ...(answers['/v1/sessions/s/view'] as object), ...sizes };
    const more = { '/v1/sessions/s/view': view };
    await textAt('/sessions/s/left', more);
    expect(page?.texts('[aria-label="Ledger"] tbody tr')).toEqual([
      'Received900100.0%',
      'In view404.4%',
      'Removed86095.6%',
      'repeated or noisy, shortened on arrival000.0%',
      'the window was full186095.6%',
      'the cache was cold, so it cost nothing000.0%',
      'it was cheaper to evict than to keep000.0%',
      'the conversation was compacted000.0%',
      'System prompt and tools60',
      'In the window100',
    ]);
    await page?.close();
    expect(await textAt('/sessions/s', more)).toContain(
      'Removed, still readable860of 900 received',
    );
  });

  it('request: shows each piece with its reason, and goes from step to step', async () => {
    const text = await textAt('/sessions/s/request/1');
    expect(text).toContain('Request 1 of 2');
    expect(text).toContain('1 of 1 piece');
    expect(page?.texts('.segment')).toEqual(['Readthe whole file900in the window, unchanged']);
    await page?.click('.segment-head[aria-expanded]');
    expect(page?.find('.segment pre')?.textContent).toBe('the whole file');
    await page?.click('.steps button:last-of-type');
    expect(location.pathname).toBe('/sessions/s/request/2');
  });

  it('timeline: shows each request with what happened', async () => {
    const text = await textAt('/sessions/s/timeline');
    expect(text).toContain('6,000 removed: the window was full');
    expect(text).toContain('cache missed: the model changed');
    // A flush has said it.
    expect(text).not.toContain('earlier content changed');
  });

  it('timeline: reads on where there are more requests than one answer takes', async () => {
    const text = await textAt('/sessions/s/timeline', {
      '/v1/sessions/s/requests?from=1': { requests: [request], total: 2, next: 2 },
      '/v1/sessions/s/requests?from=2': {
        requests: [{ ...request, number: 2, sequence: 9, tokens: 4321 }],
        total: 2,
      },
    });
    expect(text).toContain('4,321');
    expect(text).toContain('2 requests, 5,321 input tokens');
  });

  it('what left: lists flushes and compactions with why', async () => {
    const text = await textAt('/sessions/s/left');
    expect(text).toContain('Flush for request 2');
    expect(text).toContain('summarized by extractive');
  });

  it('flush: shows what changed since the request before, and a way back', async () => {
    const text = await textAt('/sessions/s/flush/2');
    expect(text).toContain('6,000 tokens removed');
    expect(text).toContain('without these changes the request would have had 15,000 tokens');
    expect(text).toContain('one line');
    await page?.click('.heading button');
    expect(page?.find('dialog')?.textContent).toContain('Requests 2 to 3 leave the window');
    await page?.click('dialog button');
    await page?.click('.piece summary');
    expect(page?.text()).toContain('evicted with its call');
    expect(page?.text()).toContain('Open the output');
    expect(page?.text()).toContain('Restore as item');
  });

  it('compaction: shows what was summed up beside the summary', async () => {
    const text = await textAt('/sessions/s/compaction/0');
    expect(text).toContain('Port the parser');
    expect(text).toContain('They ported the parser.');
    expect(text).toContain('Undo');
  });

  it('items: the tiers with numbers; an item with its score, its content as text', async () => {
    const text = await textAt('/agents/ada?item=item-1');
    expect(text).toContain('Port <b>the</b> parser');
    expect(text).toContain('weight × decay × boost');
    expect(text).toContain('0.750');
    expect(page?.find('main b')).toBeNull();
    expect(page?.texts('[data-row]')[0]).toContain('TASK');
    expect(page?.find('[data-row]')?.getAttribute('aria-pressed')).toBe('true');
  });

  it('items: a tier that is clicked stands in the address', async () => {
    await textAt('/agents/ada');
    await page?.click('.pie button');
    expect(location.search).toBe('?tier=hot');
  });

  it('facts: each with who said it and when it held; correcting one asks for the text', async () => {
    const text = await textAt('/agents/ada/facts');
    for (const part of ['identity', 'user', 'since', ' to ']) expect(text).toContain(part);
    expect(text).toContain(
      'I moved to <b>Berlin</b>Pinned. “Well, I moved to <b>Berlin</b>” ctx://messages/7',
    );
    expect(page?.find('main b')).toBeNull();
    expect(page?.find('main a[href="/sessions/s"]')).not.toBeNull();
    expect(page?.texts('[data-fact].muted').join('')).toContain('I live in Bern');
    await page?.click('[data-fact] .actions button');
    expect(page?.find('dialog')?.textContent).toContain('Correct this fact?');
    expect(page?.find('dialog input')?.getAttribute('value')).toContain('Berlin');
    await page?.close();
    const none = { '/v1/agents/ada/facts': { facts: [], abstained: true } };
    expect(await textAt('/agents/ada/facts?q=moon', none)).toContain('No matching facts');
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
    expect(text).toContain('40 lines');
    expect(text).toContain('the whole file');
  });

  it('statistics: says what the store holds', async () => {
    const text = await textAt('/statistics');
    for (const part of ['sqlite', '136', '200,000', '1.0 MB']) expect(text).toContain(part);
  });

  it('statistics: adds up what all sessions cost, by model, and says by which prices', async () => {
    const price = {
      ...{ price: 'anthropic-5m', isOfModel: true, pricesDate: '2026-11-05' },
      ...{ dollarsPerMillion: 5, outputDollarsPerMillion: 25, reportedInputs: 2 },
    };
    const tokens = { requests: 2, inputTokens: 1000, cachedTokens: 400, outputTokens: 300 };
    const dollars = { inputDollars: 2.5, outputDollars: 0.25, reportedOutputs: 2 };
    const opus = { model: 'claude-opus-4-5', ...price, ...tokens, ...dollars };
    const other = { ...opus, model: 'other', isOfModel: false, inputDollars: 1 };
    const carried = { carriedTokens: 1000, everythingTokens: 4000 };
    const session = { id: 's', createdAt: '2026-01-01', updatedAt: '2026-01-01' };
    const cost = (models: readonly object[]) => ({ models, ...carried });
    const text = await textAt('/statistics', {
      '/v1/costs?limit=10&sort=cost': {
        costs: [
          { session: { ...session, id: 't', title: 'dear' }, cost: cost([opus, other]) },
          { session: { ...session, title: 'cheap' }, cost: cost([opus]) },
          { session: { ...session, id: 'damaged' } },
        ],
        ...{ total: 3, unread: 0 },
        sum: {
          models: [{ ...opus, requests: 4, inputDollars: 5, outputDollars: 0.5 }, other],
          ...{ sessions: 2, carriedTokens: 2000, everythingTokens: 8000 },
        },
      },
    });
    for (const part of [
      '$6.75 in 2 sessions with requests.',
      'claude-opus-4-5$5.50',
      'All models$6.75',
      'claude-opus-4-5: $5 for input, $25 for output (list of 2026-11-05)',
      'other: $5 for input, $25 for output (as a mid-size model of anthropic-5m',
      '2,000 tokens of messages, 25.0% of the 8,000',
    ]) {
      expect(text).toContain(part);
    }
    expect(text.indexOf('dear')).toBeLessThan(text.indexOf('cheap'));
  });

  it('sessions: says how many the server has not read yet, and heads each project with its sum', async () => {
    const session = { id: 's', createdAt: '2026-01-01', updatedAt: '2026-01-01' };
    const text = await textAt('/sessions?sort=cost&group=project', {
      '/v1/costs?limit=100&sort=cost&q=&group=project': {
        costs: [
          { session, project: 'ada' },
          { session: { ...session, id: 't' }, project: 'one' },
          { session: { ...session, id: 'u' }, project: 'one' },
        ],
        ...{ total: 7, unread: 4100, next: 'c1' },
        projects: [
          { project: 'ada', sessions: 1, dollars: 3 },
          { project: 'one', sessions: 6, dollars: 2.5 },
        ],
      },
      '/v1/costs?limit=100&sort=cost&q=&group=project&cursor=c1': {
        costs: [{ session: { ...session, id: 'v' }, project: 'one' }],
      },
    });
    expect(text).toContain('7 sessions; 4,100 more to read …');
    const heads = page?.texts('tr.group') ?? [];
    expect(heads).toEqual(['ada 1 session, $3.00', 'one 6 sessions, $2.50']);
    await page?.click('main > button');
    expect(page?.texts('tr.group')).toHaveLength(2);
    expect(page?.text()).toContain('v');
  });

  it('search: marks the words, and says where no output holds them', async () => {
    const line = { of: 'result', line: 7, text: 'the whole file' };
    const hits = { hits: [{ score: 1, match: 'some', line, output }] };
    expect(await textAt('/outputs?q=whole', { '/v1/outputs/search': hits })).toContain('7');
    expect(page?.find('mark')?.textContent).toBe('whole');
    expect(page?.find('main a[href="/outputs/Read_1?from=7"]')).not.toBeNull();
    await page?.close();
    expect(await textAt('/outputs?q=none', { '/v1/outputs/search': { hits: [] } })).toContain(
      'No output contains these words',
    );
  });

  it('a list: the newest first, and only the rows in sight are in the page', async () => {
    const many = Array.from({ length: 1000 }, (_, number) => ({
      ...request,
      number: number + 1,
      sequence: number,
    }));
    await textAt('/sessions/s/timeline', {
      '/v1/sessions/s/requests': { requests: many, total: 1000 },
    });
    const rows = page?.texts('[data-row]') ?? [];
    expect(rows.slice(0, 3)).toEqual(['1000', '999', '998']);
    expect(rows.length).toBeLessThan(60);
  });

  it('any other address: says that there is no such page', async () => {
    expect(await textAt('/nowhere')).toContain('Page not found');
    expect(document.title).toBe('Not found · ctx');
  });

  it('the keys: are listed', async () => {
    await textAt('/statistics');
    await page?.click('header button[aria-label="Keys"]');
    expect(page?.find('dialog')?.textContent).toContain('next and previous row');
  });

  it('an address that names no view has a page that says so', async () => {
    for (const address of [
      '/nowhere',
      '/sessions/s/nowhere',
      '/sessions/s/request/x',
      '/sessions/s/heat/3',
      '/agents/ada/nowhere',
    ]) {
      expect(await textAt(address), address).toContain('Page not found');
      expect(document.title).toBe('Not found · ctx');
      await page?.close();
    }
    expect(await textAt('/sessions/s/request/2')).not.toContain('Page not found');
    await page?.close();
    const missing = Response.json({ title: 'Not found' }, { status: 404 });
    const shown = await textAt('/sessions/none/timeline', { '/v1/sessions/none': missing });
    expect(shown).toContain('Page not found');
    expect(shown).not.toContain('Conversation');
  });

  it('asks for a key where the server refuses', async () => {
    const refusal = Response.json({ title: 'No key' }, { status: 401 });
    expect(await textAt('/statistics', { '/v1/stats': refusal })).toContain('Enter an API key');
  });

  it('says what the server said where something fails', async () => {
    const problem = Response.json({ title: 'Gone', detail: 'The disk is full.' }, { status: 507 });
    expect(await textAt('/statistics', { '/v1/stats': problem })).toContain('The disk is full.');
  });
});
