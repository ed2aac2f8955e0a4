import { type ContextStore, openStore } from '@ctx/store';
import { memoryBackend } from '@ctx/store/backend';
import { openSessionWindow, sessionLog, type WindowPolicy } from '@ctx/truncation';
import { describe, expect, it } from 'vitest';
import { testStore } from '../test-support/anthropic-conversation.ts';
import {
  openTestConversation,
  smallNumbers,
  type TestConversation,
} from '../test-support/client-requests.ts';
import {
  type AnthropicMessage,
  fileText,
  longWork,
  messagesAfter,
  type Step,
} from '../test-support/scripted-agent.ts';

const large: Step = { tool: 'Bash', input: { command: 'make' }, result: fileText('log', 200) };
const small: Step = { tool: 'Bash', input: { command: 'ls' }, result: 'a.ts' };
const after = (...steps: readonly Step[]): readonly AnthropicMessage[] => messagesAfter(steps);
const user = (content: string): AnthropicMessage => ({ role: 'user', content });
const model = (content: string): AnthropicMessage => ({ role: 'assistant', content });

/** That of a proxy that only watches. */
const wholePolicy: WindowPolicy = { ...smallNumbers, arrivals: 'whole' };

const rawOf = ({ read }: TestConversation, messages: readonly AnthropicMessage[]) =>
  read(messages).messages.flatMap(({ raw }) => raw);

/** The types of events in a session's log. */
async function typesIn(store: ContextStore): Promise<readonly string[]> {
  const types: string[] = [];
  for await (const { type } of store.events.read('p1')) types.push(type);
  return types;
}

/** The window's own events. */
async function eventsIn(store: ContextStore): Promise<readonly { readonly type?: unknown }[]> {
  const events: { readonly type?: unknown }[] = [];
  for await (const { payload } of store.events.read('p1')) {
    events.push((payload as { event: { readonly type?: unknown } }).event);
  }
  return events;
}

const received = (count: number): string[] =>
  Array.from({ length: count }, () => 'window-received');

describe('a request', () => {
  it('of which nothing changes goes out as the client wrote it', async () => {
    const { conversation, ask } = await openTestConversation(await testStore());
    const { elements, rewound, flush } = await ask(after(small));
    expect([elements, rewound, flush]).toEqual([undefined, 0, undefined]);
    expect([conversation.length, conversation.hasSent]).toEqual([3, true]);
  });

  it('with a large result goes out with a preview that says how a shell reads the rest', async () => {
    const { ask } = await openTestConversation(await testStore());
    const { elements = [], segments } = await ask(after(small, large));
    expect(elements).toHaveLength(5);
    expect(elements.at(-1)).toMatch(/with: ctx read ctx:\/\/outputs\/\S+ --lines/);
    expect(segments().map(({ form }) => form)).toEqual([
      'whole',
      'whole',
      'whole',
      'whole',
      'preview',
    ]);
  });

  it('or how the tool does, where the model has it', async () => {
    const { ask } = await openTestConversation(await testStore(), { hasTool: true });
    const { sent } = await ask(after(large));
    expect(sent.at(-1)).toContain('ctx_read {');
    expect(sent.at(-1)).not.toContain('ctx read');
  });

  it('goes out in the order that a provider takes, and without messages of blanks', async () => {
    const { ask } = await openTestConversation(await testStore());
    const [task, call, result] = after(small);
    if (task === undefined || call === undefined || result === undefined) throw new Error('none');
    const blank = await ask([task, user(' ')]);
    expect(blank.elements).toHaveLength(1);
    const { sent } = await ask([task, call, user('Faster!'), result]);
    expect(sent.join('')).toMatch(/tool_use.*tool_result.*Faster!/);
  });

  it('is one write of the log', async () => {
    const backend = memoryBackend();
    let writes = 0;
    const store = await openStore({
      ...backend,
      write: (operations, options) => {
        if (operations.some(({ collection }) => collection === 'events')) writes += 1;
        return backend.write(operations, options);
      },
    });
    const { ask } = await openTestConversation(store);
    for (const steps of [[], [small], [small, large, small]]) await ask(after(...steps));
    expect(writes).toBe(3);
  });

  it('says what became of each block of it, also after the next', async () => {
    const client = await openTestConversation(await testStore());
    const first = await client.ask(after(small));
    const second = await client.ask(after(small, large));
    const third = client.read(after(small, large, small));
    await client.conversation.follow();
    await client.conversation.record(third, 1e12);
    expect([first.segments().length, second.segments().length]).toEqual([3, 5]);
    expect(second.segments().at(-1)?.form).toBe('preview');
  });

  it('says what left when the cache is cold', async () => {
    const { ask } = await openTestConversation(await testStore());
    const steps = longWork(12);
    expect(await ask(messagesAfter(steps.slice(0, 11)), 1e12)).not.toHaveProperty('flush');
    const { flush, sent } = await ask(messagesAfter(steps), 1e12 + 3.6e6);
    expect(sent.join('')).toMatch(/→ ctx read p1\/\d/);
    expect(flush?.cause).toBe('free');
    expect(flush?.afterTokens).toBeLessThan(flush?.beforeTokens ?? 0);
  });

  it('is measured as the store counts', async () => {
    const store = await openStore(memoryBackend(), { tokenCounter: (text) => 1000 * text.length });
    const { ask } = await openTestConversation(store, { windowTokens: 1e6 });
    const { segments } = await ask(after());
    expect(segments()[0]?.tokens).toBeGreaterThan(10_000);
  });

  it('asked again is the same, and adds no message', async () => {
    const store = await testStore();
    const { ask } = await openTestConversation(store);
    const { sent } = await ask(after(large, small));
    expect(await ask(after(large, small))).toMatchObject({ sent, rewound: 0 });
    expect(await sessionLog(store, 'p1').history()).toHaveLength(5);
  });

  it('that is answered in the place of the client goes out so, whatever is shaped', async () => {
    const { conversation, read } = await openTestConversation(await testStore());
    const request = read(after(small));
    const [first, ...rest] = request.messages;
    if (first === undefined) throw new Error('no message');
    const answered = {
      ...first,
      raw: ['{"role":"user","content":"other"}'],
      isRewritten: true,
    } as const;
    const { elements } = await conversation.shape(
      { ...request, messages: [answered, ...rest] },
      1e12,
    );
    expect(elements?.[0]).toBe('{"role":"user","content":"other"}');
    expect(elements).toHaveLength(3);
  });
});

describe('what stays beside a conversation', () => {
  it('secrets: they go out as the client wrote them, and are not in the store', async () => {
    const secret = `sk-ant-api03-${'aB3dE5gH7'.repeat(10)}`;
    const store = await testStore();
    const { ask } = await openTestConversation(store);
    const told = [user(`The key is ${secret}.`), model('Thanks.'), user('Use it.')];
    expect((await ask(told)).elements).toBeUndefined();
    const log = sessionLog(store, 'p1');
    expect(JSON.stringify(await log.messagesAt('ctx://messages/0-9'))).not.toContain('sk-ant');
    const again = await openTestConversation(store);
    expect((await again.ask(told)).sent.join('')).toContain(secret);
  });

  it('the calls that returned, counted once, whatever process takes them', async () => {
    const store = await testStore();
    const { ask } = await openTestConversation(store);
    await ask(after(small));
    await ask(after(small, { ...large, isError: true }));
    const again = await openTestConversation(store);
    await again.ask(after(small, { ...large, isError: true }));
    await store.sessions.flush();
    const { document } = (await store.sessions.get('p1')) ?? {};
    expect(document?.tool_stats).toMatchObject({ total_calls: 2, failures: 1 });
  });

  it('the sizes, which the log holds once for as long as they are the same', async () => {
    const store = await testStore();
    const { conversation, ask, read } = await openTestConversation(store);
    const sizes = async () =>
      (await typesIn(store)).filter((type) => type === 'window-resized').length;
    await ask(after());
    const before = await sizes();
    await conversation.follow();
    await ask(after(small));
    await ask(after(small, small));
    expect(await sizes()).toBe(before);
    const request = read(after(small, small));
    const others = [
      { ...request, answerTokens: 100 },
      { ...request, fixedTokens: request.fixedTokens + 1, answerTokens: 100 },
      { ...request, fixed: { system: 3, tools: 4 }, fixedTokens: 7, answerTokens: 100 },
      { ...request, fixed: { system: 4, tools: 3 }, fixedTokens: 7, answerTokens: 100 },
    ];
    for (const [index, other] of others.entries()) {
      await conversation.shape(other, 1e12);
      await conversation.shape(other, 1e12);
      expect(await sizes()).toBe(before + index + 1);
    }
  });
});

describe('a client that goes back', () => {
  it('to an earlier message goes on from there, and what it took back is gone', async () => {
    const store = await testStore();
    const { conversation, ask } = await openTestConversation(store);
    await ask(after(small, large, small));
    const { rewound, sent } = await ask(after(small));
    expect([rewound, conversation.length]).toEqual([4, 3]);
    expect(sent).toHaveLength(3);
    const forked = [...after(small), model('Done.'), user('Thanks.')];
    const next = await ask(forked);
    expect([next.rewound, next.elements]).toEqual([0, undefined]);
    expect(await sessionLog(store, 'p1').history()).toHaveLength(5);
  });

  it('and changes what it said is sent what it says now', async () => {
    const client = await openTestConversation(await testStore());
    await client.ask(after(small, large));
    const changed = [user('Do other chores.'), ...after(small, large).slice(1)];
    const { rewound, sent } = await client.ask(changed);
    expect(rewound).toBe(5);
    expect(sent.slice(0, 4)).toEqual(rawOf(client, changed).slice(0, 4));
    expect(sent.at(-1)).toContain('ctx read');
  });

  it('after a restart goes on as if there had been none', async () => {
    const store = await testStore();
    const { conversation, ask } = await openTestConversation(store);
    await ask(after(small, large, small));
    await conversation.close();
    const again = await openTestConversation(store);
    expect(again.conversation.length).toBe(7);
    const { rewound, sent } = await again.ask(after(small, large));
    expect(rewound).toBe(2);
    expect(sent).toEqual((await again.ask(after(small, large))).sent);
    expect(again.conversation.length).toBe(5);
  });

  it('has so many messages in common with what is known', async () => {
    const store = await testStore();
    const { conversation, ask, read } = await openTestConversation(store);
    await ask(after(small, large));
    const keys = read(after(small, large, small)).messages.map(({ key }) => key);
    const again = await openTestConversation(store);
    for (const one of [conversation, again.conversation]) {
      expect(one.common(keys)).toBe(5);
      expect(one.common(keys.slice(0, 2))).toBe(2);
      expect(one.common(['other', ...keys.slice(1)])).toBe(0);
      expect(one.common([])).toBe(0);
    }
  });
});

it('what another program wrote into the log is no message of the client', async () => {
  const store = await testStore();
  const window = await openSessionWindow({ store, sessionId: 'p1' });
  await window.insert({ role: 'user', content: [{ type: 'text', text: 'Do the chores.' }] });
  const { conversation, ask } = await openTestConversation(store);
  expect([conversation.length, conversation.common([])]).toEqual([1, 0]);
  expect(await ask(after(small))).toMatchObject({ rewound: 1 });
  expect(conversation.length).toBe(3);
});

it('words that are said again keep the mark of the client for the cache, and who says them, when what was said first is cut', async () => {
  const turn = (words: string) => [
    user(`${words} ${'word '.repeat(200)}`),
    model(`Done: ${words}.`),
  ];
  const history = [user('Begin.'), model('Go on.'), user('Go on.'), model('Good.')];
  const { ask } = await openTestConversation(await testStore(), { windowTokens: 4000 });
  for (let count = 0; count < 20; count += 1) {
    history.push(...turn(String(count)));
    const { sent } = await ask([...history, user('Go on.')]);
    const block = { type: 'text', text: 'Go on.', cache_control: { type: 'ephemeral' } };
    expect(sent.at(-1)).toBe(JSON.stringify({ role: 'user', content: [block] }));
    if (count === 19) expect(sent.join('')).toContain('ctx read p1/');
  }
});

it('the results of a client that uses its ids again are its newest', async () => {
  const failed = JSON.stringify(after({ ...small, result: 'no such file', isError: true }));
  const [, asked, answered] = after(small);
  if (asked === undefined || answered === undefined) throw new Error('no step');
  const history = [...(JSON.parse(failed) as AnthropicMessage[]), asked, answered];
  const client = await openTestConversation(await testStore());
  expect((await client.ask(history)).sent).toEqual(rawOf(client, history));
});

describe('a request that is recorded', () => {
  it('is in the log as the client wrote it, and the next begins with it', async () => {
    const store = await testStore();
    const client = await openTestConversation(store, { windowTokens: 20_000 });
    const messages = after(small, small);
    expect(await client.conversation.record(client.read(messages), 1e12)).toBe(false);
    expect([client.conversation.length, client.conversation.hasSent]).toEqual([5, false]);
    expect((await client.ask(messages)).elements).toBeUndefined();
  });

  it('says that what went out smaller before is whole now, once', async () => {
    const store = await testStore();
    const client = await openTestConversation(store);
    await client.ask(after(small, large, small));
    const watching = await openTestConversation(store, { policy: wholePolicy });
    const record = (...steps: readonly Step[]) =>
      watching.conversation.record(watching.read(after(...steps)), 1e12);
    expect(await record(small, large, small)).toBe(true);
    expect(await record(small, large, small, large)).toBe(false);
    expect(watching.conversation.length).toBe(9);
    const again = await openTestConversation(store);
    const all = after(small, large, small, large);
    expect(again.conversation.length).toBe(9);
    expect((await again.ask(all)).sent).toEqual(rawOf(again, all));
  });

  it('says so of what this process shaped, too', async () => {
    const { conversation, ask, read } = await openTestConversation(await testStore());
    await conversation.record(read(after(small)), 1e12);
    await ask(after(small, large));
    expect(await conversation.record(read(after(small, large)), 1e12)).toBe(true);
  });

  it('takes back no more than from the first that went out smaller', async () => {
    const store = await testStore();
    const client = await openTestConversation(store);
    await client.ask(after(small, large, small));
    const before = (await typesIn(store)).length;
    const watching = await openTestConversation(store, { policy: wholePolicy });
    await watching.conversation.record(watching.read(after(small, large, small)), 1e12);
    const since = (await typesIn(store)).slice(before);
    expect(since).toEqual(['window-rewound', ...received(3), 'window-resized']);
  });

  it('of which the client took back messages is in the log as it is now', async () => {
    const store = await testStore();
    const { conversation, read } = await openTestConversation(store, { policy: wholePolicy });
    await conversation.record(read(after(small, small, small)), 1e12);
    const before = (await typesIn(store)).length;
    expect(await conversation.record(read(after(small, large)), 1e12)).toBe(false);
    expect(conversation.length).toBe(5);
    const since = (await typesIn(store)).slice(before);
    expect(since).toEqual(['window-rewound', ...received(2), 'window-resized']);
  });

  it('had no tool of the proxy’s, which the log says of a model that has it', async () => {
    const toolsIn = async (hasTool: boolean) => {
      const store = await testStore();
      const client = await openTestConversation(store, { hasTool });
      const request = client.read(after(small));
      await client.conversation.record(request, 7e11);
      const { sent } = (await eventsIn(store)).at(-1) as { sent: { at: number; parts: object } };
      expect(sent.at).toBe(7e11);
      return [request.parts, sent.parts];
    };
    const [parts, sent] = await toolsIn(true);
    expect(sent).toEqual({
      ...parts,
      tools: `${String(parts && 'tools' in parts ? parts.tools : '')} alone`,
    });
    const [plain, alike] = await toolsIn(false);
    expect(alike).toEqual(plain);
  });
});

describe('what is sent if nothing can be decided', () => {
  it('is what was sent, and what is new as the client wrote it', async () => {
    const client = await openTestConversation(await testStore());
    const { sent } = await client.ask(after(small, large));
    const request = client.read(after(small, large, large, small));
    const repeated = client.conversation.repeat(request) ?? [];
    expect(repeated).toHaveLength(9);
    expect(repeated.slice(0, 4)).toEqual(request.messages.slice(0, 4).flatMap(({ raw }) => raw));
    expect(repeated[4]).toBe(sent[4]?.replace(',"cache_control":{"type":"ephemeral"}', ''));
    expect(repeated.slice(5)).toEqual(request.messages.slice(5).flatMap(({ raw }) => raw));
    expect(client.conversation.repeat(client.read(after(small, large)))).toEqual(sent);
  });

  it('is the client’s own, as long as nothing went out otherwise', async () => {
    const { conversation, ask, read } = await openTestConversation(await testStore());
    const request = read(after(large));
    expect(conversation.repeat(request)).toBeUndefined();
    const answered = request.messages.map((message) => ({
      ...message,
      isRewritten: true as const,
    }));
    expect(conversation.repeat({ ...request, messages: answered })).toBeUndefined();
    await ask(after(small));
    expect(conversation.repeat(read(after(small, large)))).toBeUndefined();
  });

  it('is the client’s own, if it went back', async () => {
    const { conversation, ask, read } = await openTestConversation(await testStore());
    await ask(after(large, small));
    expect(conversation.repeat(read(after(large)))).toBeUndefined();
  });

  it('holds what was answered in the place of the client', async () => {
    const { conversation, ask, read } = await openTestConversation(await testStore());
    await ask(after(small));
    const request = read(after(small, small));
    const answered = request.messages.map((message, index) =>
      index === 4 ? { ...message, raw: ['"answered"'], isRewritten: true as const } : message,
    );
    const repeated = conversation.repeat({ ...request, messages: answered });
    expect(repeated?.slice(0, 4)).toEqual(request.messages.slice(0, 4).flatMap(({ raw }) => raw));
    expect(repeated?.[4]).toBe('"answered"');
  });
});

it('what went out whole while the store failed goes out so', async () => {
  const client = await openTestConversation(await testStore(), { sentWhole: 4 });
  const { sent } = await client.ask(after(large, large));
  expect(sent.slice(0, 4)).toEqual(rawOf(client, after(large, large)).slice(0, 4));
  expect(sent[4]).toContain('ctx read');
});

it('the first that went out whole then goes out so, too', async () => {
  const store = await testStore();
  const before = await openTestConversation(store);
  await before.conversation.record(before.read(after(large).slice(0, 2)), 1e12);
  const again = await openTestConversation(store, { sentWhole: 3 });
  expect((await again.ask(after(large))).sent).toEqual(rawOf(again, after(large)));
});

it('a message that was taken before the store failed goes out as it did then', async () => {
  const store = await testStore();
  const { sent } = await (await openTestConversation(store)).ask(after(large));
  const again = await openTestConversation(store, { sentWhole: 5 });
  const all = await again.ask(after(large, large));
  expect(all.sent[2]).toBe(sent[2]?.replace(',"cache_control":{"type":"ephemeral"}', ''));
  expect(all.sent[4]).toBe(rawOf(again, after(large, large))[4]);
});

describe('two processes', () => {
  it('follow each other, and send what one would', async () => {
    const store = await testStore();
    const alone = await openTestConversation(await testStore());
    const both = [await openTestConversation(store), await openTestConversation(store)];
    const steps = longWork(8);
    for (let done = 0; done <= steps.length; done += 1) {
      const client = both[done % 2];
      expect(await client?.conversation.follow()).toBe(true);
      expect(client?.conversation.length).toBe(Math.max(0, 2 * done - 1));
      const { sent } = await alone.ask(messagesAfter(steps.slice(0, done)));
      expect((await client?.ask(messagesAfter(steps.slice(0, done))))?.sent).toEqual(sent);
    }
  });

  it('cannot follow one that went back: it has to be opened again', async () => {
    const store = await testStore();
    const [one, other] = [await openTestConversation(store), await openTestConversation(store)];
    await one.ask(after(small, small));
    expect(await other.conversation.follow()).toBe(true);
    await one.ask(after(small));
    expect(await other.conversation.follow()).toBe(false);
  });

  it('tell the window their sizes again, where the other told others', async () => {
    const store = await testStore();
    const [one, other] = [await openTestConversation(store), await openTestConversation(store)];
    const last = async () => (await eventsIn(store)).findLast(({ type }) => type === 'resized');
    const ask = async (client: TestConversation, answerTokens: number) => {
      await client.conversation.follow();
      await client.conversation.shape({ ...client.read(after(small)), answerTokens }, 1e12);
      expect(await last()).toMatchObject({ answerTokens });
    };
    await ask(one, 100);
    await ask(other, 200);
    await ask(one, 100);
  });

  it('see what the other shaped when they record', async () => {
    const store = await testStore();
    const watching = await openTestConversation(store, { policy: wholePolicy });
    await watching.conversation.record(watching.read(after(small)), 1e12);
    await (await openTestConversation(store)).ask(after(small, large));
    await watching.conversation.follow();
    const request = watching.read(after(small, large, small));
    expect(await watching.conversation.record(request, 1e12)).toBe(true);
  });
});

describe('what the provider says', () => {
  it('of the size of a request is what later ones are measured by', async () => {
    const { conversation, ask } = await openTestConversation(await testStore());
    await ask(after(small));
    const { factor } = await conversation.observe({ inputTokens: 500, cachedTokens: 0 });
    expect(factor).toBeGreaterThan(1);
  });

  it('of a request that was too long makes the next smaller', async () => {
    const steps = Array.from({ length: 8 }, () => ({ ...large, result: fileText('x', 12) }));
    const { conversation, ask } = await openTestConversation(await testStore());
    const { sent } = await ask(messagesAfter(steps));
    expect(await conversation.overflowed(new Error('some other error'))).toBe(false);
    const error = { status: 400, message: 'prompt is too long: 2000 tokens > 1500 maximum' };
    expect(await conversation.overflowed(error)).toBe(true);
    const again = await ask(messagesAfter(steps));
    expect(again.sent.join('').length).toBeLessThan(sent.join('').length);
  });
});

it('the calls of the tool that are in view, and the results that are errors, are told by id', async () => {
  const store = await testStore();
  const { conversation, ask } = await openTestConversation(store, { hasTool: true });
  const call = { tool: 'ctx_read' as never, input: { address: 'ctx://outputs/a' }, result: 'x' };
  await ask(after(small, call, { ...small, isError: true }));
  const again = await openTestConversation(store, { hasTool: true });
  for (const one of [conversation, again.conversation]) {
    expect([...one.readCalls()]).toEqual([['toolu_1', { address: 'ctx://outputs/a' }]]);
    expect([...one.errors()]).toEqual(['toolu_2']);
  }
});

it('what is being written is in the store when a conversation is closed', async () => {
  const store = await testStore();
  const { conversation, ask } = await openTestConversation(store);
  await ask(after(small));
  const observed = conversation.observe({ inputTokens: 500, cachedTokens: 0 });
  await conversation.close();
  expect(await typesIn(store)).toContain('window-observed');
  await observed;
});
