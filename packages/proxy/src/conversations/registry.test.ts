import type { ContextStore } from '@ctx/store';
import { describe, expect, it } from 'vitest';
import { openAiChat } from '../dialects/openai-chat/openai-chat.ts';
import { testStore } from '../test-support/anthropic-conversation.ts';
import {
  type ClientRead,
  clientReader,
  sentFor,
  smallNumbers,
} from '../test-support/client-requests.ts';
import {
  type AnthropicMessage,
  bodyOf,
  fileText,
  longWork,
  messagesAfter,
  type Step,
} from '../test-support/scripted-agent.ts';
import { nameSession } from './name-session.ts';
import {
  createRegistry,
  inTurn,
  type Lane,
  type LaneRequest,
  type Registry,
  type RegistryOptions,
  sessionIdOf,
} from './registry.ts';

const large: Step = { tool: 'Bash', input: { command: 'make' }, result: fileText('log', 200) };

/** What a client of a name asks. */
function asked(
  store: ContextStore,
  session: string,
  messages: readonly AnthropicMessage[] = messagesAfter([]),
): ClientRead {
  const headers = { 'x-claude-code-session-id': session };
  return clientReader(store, { path: '/v1/messages', headers })(bodyOf(messages));
}

async function openRegistry(more: Partial<RegistryOptions> = {}) {
  const clock = { now: 1e12 };
  const store = more.store ?? (await testStore(clock));
  const options = { policy: smallNumbers, isOffering: false, ...more, store };
  return { clock, store, registry: createRegistry(options) };
}

/** Lets a registry shape a request, as the proxy does. */
async function shape(registry: Registry, { opened, request }: ClientRead, now = 1e12) {
  const lane = registry.laneOf(opened);
  return inTurn(lane, async () => {
    lane.size = opened.body.length;
    lane.known = request.messages;
    const conversation = await registry.opened(lane, opened);
    const shaped = await conversation.shape(request, now);
    return { lane, conversation, shaped, sent: sentFor(shaped, request) };
  });
}

/** The window's own events. */
async function eventsIn(store: ContextStore, { sessionId }: Lane) {
  const events: Readonly<Record<string, unknown>>[] = [];
  for await (const { payload } of store.events.read(sessionId)) {
    events.push((payload as { event: Readonly<Record<string, unknown>> }).event);
  }
  return events;
}

describe('the session of a conversation', () => {
  const caller = { client: 'claude-code', conversation: 'one' };
  const request = { caller, firstKey: 'first' } as LaneRequest;

  it('has a short name that is the same in every process and version', () => {
    expect(sessionIdOf(request)).toMatch(/^p\d{15}$/);
    expect(sessionIdOf({ ...request })).toBe(sessionIdOf(request));
    expect(sessionIdOf(request)).toBe('p365255219173574');
  });

  it('is another if anything is other that tells conversations apart', () => {
    const others: Partial<LaneRequest>[] = [
      {},
      { caller: { ...caller, client: 'codex' } },
      { caller: { ...caller, conversation: 'two' } },
      { caller: { client: 'claude-code' } },
      { caller: { ...caller, conversation: '' } },
      { firstKey: 'second' },
      { branch: 'a' },
      { branch: 'b' },
      { branch: '' },
    ];
    const names = new Set(others.map((other) => sessionIdOf({ ...request, ...other })));
    expect(names.size).toBe(others.length);
  });

  it('has a name of one length, whatever number it is', () => {
    for (let index = 0; index < 300; index += 1) {
      expect(sessionIdOf({ ...request, firstKey: String(index) })).toHaveLength(16);
    }
  });
});

describe('what a process keeps in memory', () => {
  /** How many of so many lanes are kept, asked from the newest on, so that asking lets none go that is still to be asked for. */
  async function keptOf(conversations: number, characters: number): Promise<number> {
    const { registry, store } = await openRegistry();
    const { opened } = asked(store, 'one');
    const requests = Array.from({ length: conversations }, (_, at) => ({
      ...opened,
      caller: { client: 'test', conversation: String(at) },
      body: { ...opened.body, length: characters },
    }));
    const lanes = requests.map((request) => registry.laneOf(request));
    const newestFirst = requests.toReversed();
    return newestFirst.filter((request, at) => registry.laneOf(request) === lanes.at(-1 - at))
      .length;
  }

  it('are the conversations of a team', async () => {
    expect(await keptOf(200, 100)).toBe(200);
  });

  it('are no more than 256, and of long ones fewer', async () => {
    expect(await keptOf(300, 100)).toBe(256);
    expect(await keptOf(10, 20_000_000)).toBe(3);
    expect(await keptOf(9, 8_000_000)).toBe(8);
    expect(await keptOf(1, 70_000_000)).toBe(1);
  });

  it('is what was asked for last: the one that rested longest goes first', async () => {
    const { registry, store } = await openRegistry();
    const lanes = Array.from({ length: 256 }, (_, at) =>
      registry.laneOf(asked(store, String(at)).opened),
    );
    registry.laneOf(asked(store, '0').opened);
    registry.laneOf(asked(store, 'more').opened);
    expect(registry.laneOf(asked(store, '0').opened)).toBe(lanes[0]);
    expect(registry.laneOf(asked(store, '2').opened)).toBe(lanes[2]);
    expect(registry.laneOf(asked(store, '1').opened)).not.toBe(lanes[1]);
  });

  it('counts the newest request of each conversation', async () => {
    const { registry, store } = await openRegistry();
    const { opened } = asked(store, 'one');
    const of = (conversation: string, length: number) => ({
      ...opened,
      caller: { client: 'test', conversation },
      body: { ...opened.body, length },
    });
    const lane = registry.laneOf(of('a', 60_000_000));
    expect(registry.laneOf(of('a', 10))).toBe(lane);
    registry.laneOf(of('b', 60_000_000));
    expect(registry.laneOf(of('a', 10))).toBe(lane);
  });

  it('lets go of conversations that go on with the same bytes when they are asked for again', async () => {
    const { registry, store } = await openRegistry();
    const steps = longWork(6);
    const of = (done: number) => asked(store, 'one', messagesAfter(steps.slice(0, done)));
    const before = await shape(registry, of(5));
    const kept = await shape(registry, of(6));
    for (let at = 0; at < 256; at += 1) registry.laneOf(asked(store, `other ${String(at)}`).opened);
    const again = await shape(registry, of(6));
    expect(again.lane).not.toBe(before.lane);
    expect(again.sent).toEqual(kept.sent);
  });
});

describe('a conversation that rests', () => {
  const steps = longWork(8);

  async function restingAfter(openCharacters: number) {
    const { registry, store } = await openRegistry({ openCharacters });
    const of = (session: string, done: number) =>
      asked(store, session, messagesAfter(steps.slice(0, done)));
    return { registry, of };
  }

  it('is closed when others hold what there is room for, and goes on with the same bytes', async () => {
    const small = await restingAfter(0);
    const roomy = await restingAfter(2 ** 24);
    for (let done = 0; done <= steps.length; done += 1) {
      for (const session of ['one', 'two']) {
        const kept = await shape(roomy.registry, roomy.of(session, done));
        const rested = await shape(small.registry, small.of(session, done));
        expect(rested.sent).toEqual(kept.sent);
        expect(rested.lane.sessionId).toBe(kept.lane.sessionId);
      }
    }
  });

  it('leaves memory: its window, its messages, and what the last one decided', async () => {
    const { registry, of } = await restingAfter(0);
    const { lane, conversation } = await shape(registry, of('one', 2));
    const { meter } = lane;
    lane.before = conversation;
    expect(lane.conversation).toBe(conversation);
    await shape(registry, of('two', 2));
    await lane.last;
    expect(lane).toMatchObject({ size: 0, conversation: undefined, before: undefined, known: [] });
    expect(lane.meter).not.toBe(meter);
  });

  it('stays open if it is asked again before it is closed', async () => {
    const { registry, of } = await restingAfter(0);
    const { lane, conversation } = await shape(registry, of('one', 2));
    let go = (): void => undefined;
    lane.last = new Promise<void>((resolve) => (go = resolve));
    registry.laneOf(of('two', 2).opened);
    lane.size = 10;
    go();
    await lane.last;
    expect(lane.conversation).toBe(conversation);
  });

  it('makes room as far as needed: the one that rested longest goes first, the newest stays', async () => {
    const { registry, of } = await restingAfter(25);
    const lanes: Lane[] = [];
    for (const session of ['one', 'two', 'three']) {
      const { lane } = await shape(registry, of(session, 2));
      lane.size = 10;
      lanes.push(lane);
    }
    const openNow = async () => {
      await Promise.all(lanes.map(({ last }) => last));
      return lanes.map(({ conversation }) => conversation !== undefined);
    };
    expect(await openNow()).toEqual([true, true, true]);
    registry.laneOf(of('three', 2).opened);
    expect(await openNow()).toEqual([false, true, true]);
    const [, , newest] = lanes;
    if (newest !== undefined) newest.size = 1000;
    registry.laneOf(of('three', 2).opened);
    expect(await openNow()).toEqual([false, false, true]);
  });

  it('stays while what is held is just what there is room for', async () => {
    const { registry, of } = await restingAfter(20);
    const { lane } = await shape(registry, of('one', 2));
    lane.size = 10;
    const other = await shape(registry, of('two', 2));
    other.lane.size = 10;
    registry.laneOf(of('two', 2).opened);
    await lane.last;
    expect(lane.conversation).toBeDefined();
  });

  it('has room for 4 million characters of newest requests unless another number is given', async () => {
    const { registry, store } = await openRegistry();
    const { lane } = await shape(registry, asked(store, 'one'));
    for (const [size, isOpen] of [
      [2 ** 22, true],
      [2 ** 22 + 1, false],
    ] as const) {
      lane.size = size;
      registry.laneOf(asked(store, 'two').opened);
      await lane.last;
      expect(lane.conversation !== undefined).toBe(isOpen);
    }
  });
});

describe('what is done in a lane', () => {
  const laneOf = async () => {
    const { registry, store } = await openRegistry();
    return registry.laneOf(asked(store, 'one').opened);
  };

  it('is done one after the other, in the order in which it was asked', async () => {
    const lane = await laneOf();
    const done: number[] = [];
    const work = (number: number, turns: number) => async () => {
      for (let turn = 0; turn < turns; turn += 1) await Promise.resolve();
      done.push(number);
      return number;
    };
    const results = [inTurn(lane, work(1, 20)), inTurn(lane, work(2, 0)), inTurn(lane, work(3, 5))];
    expect(await Promise.all(results)).toEqual([1, 2, 3]);
    expect(done).toEqual([1, 2, 3]);
  });

  it('fails alone', async () => {
    const lane = await laneOf();
    const failed = inTurn(lane, () => Promise.reject(new Error('the disk is full')));
    const next = inTurn(lane, () => Promise.resolve('done'));
    await expect(failed).rejects.toThrow('the disk is full');
    expect(await next).toBe('done');
  });
});

it('a conversation that was not opened knows no messages, and offers no tool', async () => {
  const { registry, store } = await openRegistry({ isOffering: true });
  const lane = registry.laneOf(asked(store, 'one').opened);
  expect(lane).toMatchObject({ known: [], hasTool: false, isWatched: false, sentWhole: 0 });
});

describe('the window of a conversation', () => {
  it('is opened once, and follows what another process did', async () => {
    const { registry, store } = await openRegistry();
    const steps = longWork(3);
    const of = (done: number) => asked(store, 'one', messagesAfter(steps.slice(0, done)));
    const one = await shape(registry, of(1));
    expect((await shape(registry, of(2))).conversation).toBe(one.conversation);
    const other = createRegistry({ store, policy: smallNumbers, isOffering: false });
    const theirs = await shape(other, of(3));
    const again = await shape(registry, of(3));
    expect(again.conversation).toBe(one.conversation);
    expect(again.sent).toEqual(theirs.sent);
  });

  it('is opened again where another process went back, and where it failed', async () => {
    const { registry, store } = await openRegistry();
    const steps = longWork(3);
    const of = (done: number) => asked(store, 'one', messagesAfter(steps.slice(0, done)));
    const one = await shape(registry, of(3));
    const other = createRegistry({ store, policy: smallNumbers, isOffering: false });
    const theirs = await shape(other, of(2));
    const again = await shape(registry, of(2));
    expect(again.conversation).not.toBe(one.conversation);
    expect(again.sent).toEqual(theirs.sent);
    // What another process wrote meanwhile makes the write fail, and with it the window.
    const behind = of(3);
    await shape(other, behind);
    await expect(again.conversation.shape(behind.request, 1e12)).rejects.toThrow();
    const opened = await shape(registry, of(3));
    expect(opened.conversation).not.toBe(again.conversation);
    expect(opened.sent).toEqual((await shape(other, of(3))).sent);
  });

  it.each([
    ['claude-sonnet-4-5', {}, 200_000],
    ['claude-sonnet-4-5[1m]', {}, 1_000_000],
    ['claude-sonnet-4-5', { 'anthropic-beta': 'context-1m-2025-08-07' }, 1_000_000],
  ])('is as large as that of the model: %s %j', async (model, headers, windowTokens) => {
    const { registry, store } = await openRegistry();
    const named = { 'x-claude-code-session-id': 'one', ...headers };
    const read = clientReader(store, { path: '/v1/messages', headers: named });
    const { lane } = await shape(registry, read(bodyOf(messagesAfter([]), model)));
    const resized = (await eventsIn(store, lane)).findLast(({ type }) => type === 'resized');
    expect(resized).toMatchObject({ windowTokens });
  });

  it('that is larger than what its client asks for stays so', async () => {
    const { registry, store } = await openRegistry();
    const { opened, request } = asked(store, 'one');
    const larger = { ...opened, model: 'gpt-4.1', isLargeWindow: true };
    const { lane } = await shape(registry, { opened: larger, request });
    const resized = (await eventsIn(store, lane)).findLast(({ type }) => type === 'resized');
    expect(resized).toMatchObject({ windowTokens: 1_000_000 });
  });

  it.each([
    ['5 minutes', {}, false],
    ['an hour, if the marks of the client ask for it', { isHour: true }, true],
    ['5 minutes, if marks of another API ask for it', { isHour: true, dialect: openAiChat }, false],
  ])('takes the cache for warm for %s', async (_time, more, staysWarm) => {
    const { registry, store } = await openRegistry();
    const steps = longWork(12);
    const at = async (done: number, now: number) => {
      const { opened, request } = asked(store, 'one', messagesAfter(steps.slice(0, done)));
      const { lane, shaped } = await shape(
        registry,
        { opened: { ...opened, ...more }, request },
        now,
      );
      return { lane, flush: shaped.flush };
    };
    const { lane } = await at(11, 1e12);
    const { flush } = await at(12, 1e12 + 30 * 60_000);
    expect(flush === undefined).toBe(staysWarm);
    const written = { input: 1e6, cached: 0, tellsCache: true, written: 1e6 };
    expect(lane.account.dollarsOf(written)).toBeCloseTo(staysWarm ? 6 : 3.75);
  });

  it('is paid for at the list price of the model', async () => {
    const { registry, store } = await openRegistry();
    const { opened, request } = asked(store, 'one', messagesAfter(longWork(1)));
    const model = 'claude-opus-4-5-20251101';
    const { lane } = await shape(registry, { opened: { ...opened, model }, request });
    const usage = { input: 1e6, cached: 0, tellsCache: true, written: 0, output: 1e6 };
    expect(lane.account.dollarsOf(usage)).toBeCloseTo(5 + 25);
  });

  it.each([
    ['stays as the client sends it, if the client tells the provider what becomes of it', true],
    ['leaves when it is finished, if not', false],
  ])('thinking %s', async (_what, keepsThinking) => {
    const { registry, store } = await openRegistry();
    const thinking = { type: 'thinking', thinking: 'hm '.repeat(300), signature: 's' };
    const steps = longWork(12).map((step) => ({ ...step, thinking }));
    const messages = [
      ...messagesAfter(steps),
      { role: 'assistant', content: 'Done.' } as const,
      { role: 'user', content: 'Thanks.' } as const,
    ];
    const ask = async (now: number) => {
      const { opened, request } = asked(store, 'one', messages);
      return shape(registry, { opened: { ...opened, keepsThinking }, request }, now);
    };
    await ask(1e12);
    const { sent, shaped } = await ask(1e12 + 30 * 60_000);
    expect(shaped.flush).toBeDefined();
    expect(sent.join('').split('"signature"').length - 1).toBe(keepsThinking ? 12 : 1);
  });

  it.each([
    ['shaped', {}, {}, 'preview'],
    ['whole, if the proxy only watches', { isWatching: true }, {}, 'whole'],
    ['whole, if the provider refused what was shaped', {}, { isWatched: true }, 'whole'],
    ['whole, if it is held out', {}, { isHeldOut: true }, 'whole'],
    ['shaped, if it is not held out', {}, { isHeldOut: false }, 'preview'],
  ])('takes results %s', async (_how, options, lane, form) => {
    const { registry, store } = await openRegistry(options);
    const client = asked(store, 'one', messagesAfter([large]));
    Object.assign(registry.laneOf(client.opened), lane);
    const { shaped } = await shape(registry, client);
    expect(shaped.segments().at(-1)?.form).toBe(form);
  });

  it('takes what went out whole while the store failed as it was', async () => {
    const { registry, store } = await openRegistry();
    const client = asked(store, 'one', messagesAfter([large, large]));
    registry.laneOf(client.opened).sentWhole = 3;
    const { sent } = await shape(registry, client);
    expect(sent[2]).toContain('log_100');
    expect(sent[4]).not.toContain('log_100');
  });

  it('keeps errors and what holds more than text, whatever the policy says', async () => {
    const policy = { ...smallNumbers, exceptions: 'leave' as const };
    const { registry, store } = await openRegistry({ policy });
    const error = { ...large, isError: true, result: fileText('failed', 30) };
    const messages = messagesAfter([error, ...longWork(12)]);
    await shape(registry, asked(store, 'one', messages));
    const { sent, shaped } = await shape(registry, asked(store, 'one', messages), 1e12 + 3e7);
    expect(shaped.flush).toBeDefined();
    expect(sent.join('')).toContain('failed_29');
  });
});

describe('the tool of the proxy', () => {
  const isOffered = async (isOffering: boolean, canHaveTool: boolean, store?: ContextStore) => {
    const { registry, store: kept } = await openRegistry({ isOffering, ...(store && { store }) });
    const { opened, request } = asked(kept, 'one');
    const { lane } = await shape(registry, { opened: { ...opened, canHaveTool }, request });
    return lane.hasTool;
  };

  it('is offered to new conversations that can have it, if the proxy does', async () => {
    expect(await isOffered(true, true)).toBe(true);
    expect(await isOffered(true, false)).toBe(false);
    expect(await isOffered(false, true)).toBe(false);
  });

  it.each([true, false])('is there from the first request on, or never: %s', async (hasTool) => {
    const store = await testStore();
    const { opened, request } = asked(store, 'one');
    const { caller } = opened;
    const mark = hasTool ? 'proxy_read_tool' : undefined;
    await nameSession(store, sessionIdOf(opened), { caller, request, mark });
    expect(await isOffered(!hasTool, !hasTool, store)).toBe(hasTool);
  });

  it('has calls in view, which another process finds', async () => {
    const input = { address: 'ctx://outputs/a' };
    const call = { tool: 'ctx_read' as never, input, result: 'x' };
    const store = await testStore();
    const { opened, request } = asked(store, 'one', messagesAfter([call]));
    const offered = { opened: { ...opened, canHaveTool: true }, request };
    for (const isOffering of [true, false]) {
      const { registry } = await openRegistry({ store, isOffering });
      await shape(registry, offered);
      const { lane } = await shape(registry, offered);
      expect([...lane.calls]).toEqual(isOffering ? [['toolu_0', input]] : []);
    }
  });
});

describe('a registry that is closed', () => {
  it('waits for what is being done, and keeps it', async () => {
    const { registry, store } = await openRegistry();
    const shaped = shape(registry, asked(store, 'one', messagesAfter([large])));
    await registry.close();
    const { lane } = await shaped;
    const types = (await eventsIn(store, lane)).map(({ type }) => type);
    expect(types.at(-1)).toBe('requested');
  });

  it('keeps what its conversations are told at last, and opens them anew', async () => {
    const { registry, store } = await openRegistry();
    const { lane, conversation } = await shape(registry, asked(store, 'one'));
    const observed = conversation.observe({ inputTokens: 100, cachedTokens: 0 });
    await registry.close();
    expect((await eventsIn(store, lane)).at(-1)).toMatchObject({ type: 'observed' });
    await observed;
    expect(registry.laneOf(asked(store, 'one').opened)).not.toBe(lane);
  });

  it('has nothing to keep of conversations that were not opened, or rest', async () => {
    const { registry, store } = await openRegistry({ openCharacters: 0 });
    registry.laneOf(asked(store, 'one').opened);
    await shape(registry, asked(store, 'two'));
    const lane = registry.laneOf(asked(store, 'three').opened);
    await registry.close();
    expect(registry.laneOf(asked(store, 'three').opened)).not.toBe(lane);
  });

  it('does not fail over a conversation that does', async () => {
    const { registry, store } = await openRegistry();
    const other = createRegistry({ store, policy: smallNumbers, isOffering: false });
    const { conversation, lane } = await shape(registry, asked(store, 'one'));
    await shape(other, asked(store, 'one', messagesAfter([large])));
    const { request } = asked(store, 'one', messagesAfter([large]));
    await expect(conversation.shape(request, 1e12)).rejects.toThrow();
    await registry.close();
    expect(registry.laneOf(asked(store, 'one').opened)).not.toBe(lane);
  });
});
