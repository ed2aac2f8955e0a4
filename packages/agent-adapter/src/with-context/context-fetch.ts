import { isCtxError } from '@ctx/core';
import type { ContextManager } from '../context-manager/context-manager.ts';
import { maxRefusals } from '../max-refusals.ts';
import { type HiddenExchanges, hiddenExchanges, type KeptExchanges } from './hidden-exchanges.ts';
import { eventText, readEvents } from './server-events.ts';
import type { Json, OwnCall, Said, StreamedAnswer, Wire } from './wire.ts';

/** `fetch`, as the SDKs call it. */
export type Fetch = (url: string | URL | Request, init?: RequestInit) => Promise<Response>;

/** Rounds of reading back for one answer; then the host gets what there is. */
const maxRounds = 20;

/** One request of the host, until it is answered. */
interface Asking {
  readonly wire: Wire;
  readonly manager: ContextManager;
  readonly hidden: HiddenExchanges;
  /** Names of ctx's tools in this request. */
  readonly own: ReadonlySet<string>;
  readonly isStreamed: boolean;
  /** How many messages the host gave. */
  readonly at: number;
  readonly signal?: AbortSignal;
  readonly send: (body: Json) => Promise<Response>;
  /** As the host sent it. */
  readonly given: Json;
  body: Json;
  /** What was said since: by the model and by ctx, and what of it the host gets. */
  readonly whole: Json[];
  readonly visible: Json[];
  rounds: number;
}

const isList = (value: unknown): value is readonly Json[] => Array.isArray(value);

/** The answer with another body. */
function withBody(
  { status, statusText, headers: given }: Response,
  body: ConstructorParameters<typeof Response>[0],
): Response {
  const headers = new Headers(given);
  for (const name of ['content-length', 'content-encoding']) headers.delete(name);
  return new Response(body, { status, statusText, headers });
}

/** Sends, and again with less as often as the provider says that it was too long. */
async function sendFitting({ wire, manager, body, send, signal }: Asking): Promise<Response> {
  for (let refusals = 0; ; refusals += 1) {
    signal?.throwIfAborted();
    const response = await send(await wire.fit(manager, body, signal));
    if (response.ok || refusals >= maxRefusals) return response;
    const text = await response.text();
    const overflow = await manager.overflowed({ status: response.status, body: text });
    if (overflow === undefined) return withBody(response, text);
  }
}

async function answerCall({ manager }: Asking, { id, name, input }: OwnCall) {
  const tool = manager.tools().find((each) => each.name === name);
  return { id, name, text: (await tool?.execute(input)) ?? `there is no tool ${name}` };
}

/** Takes in what was said, and answers what was asked of ctx. Gives whether the model goes on before the host has to. */
async function goOn(asking: Asking, said: Said): Promise<boolean> {
  const { wire, hidden, whole, visible, at, body } = asking;
  asking.rounds += 1;
  const texts = await Promise.all(said.own.map((call) => answerCall(asking, call)));
  const added = texts.length === 0 ? said.whole : [...said.whole, ...wire.results(texts)];
  whole.push(...added);
  visible.push(...said.visible);
  if (texts.length > 0 && !said.callsHost && asking.rounds < maxRounds) {
    const list = body[wire.listKey];
    asking.body = { ...body, [wire.listKey]: [...(isList(list) ? list : []), ...added] };
    return true;
  }
  const hasHidden = asking.rounds > 1 || texts.length > 0;
  if (hasHidden) await hidden.note(at, wire.joined(visible), whole);
  return false;
}

async function answerWhole(asking: Asking, first: Response): Promise<Response> {
  const { wire, manager, own } = asking;
  const answers: Json[] = [];
  for (let response = first; ; response = await sendFitting(asking)) {
    if (!response.ok) return response;
    const text = await response.text();
    const answer = JSON.parse(text) as Json;
    answers.push(answer);
    await wire.observe(manager, answer);
    const said = wire.said(answer, own);
    if (await goOn(asking, said)) continue;
    const isPlain = answers.length === 1 && said.own.length === 0;
    if (isPlain) return withBody(response, text);
    return withBody(response, JSON.stringify(wire.merged(answers, wire.joined(asking.visible))));
  }
}

/** The events of all rounds as those of one answer. */
async function* eventsOf(asking: Asking, first: Response): AsyncGenerator<Json> {
  const { wire, manager, own } = asking;
  const streams: StreamedAnswer[] = [];
  for (let response = first; ; response = await sendFitting(asking)) {
    if (!response.ok || response.body === null) {
      // The host has the beginning of an answer: what ended it comes as an event.
      yield (await response.json()) as Json;
      return;
    }
    const stream = wire.stream(own, [...streams], asking.given);
    streams.push(stream);
    for await (const event of readEvents(response.body)) yield* stream.take(event);
    const said = stream.said();
    if (said === undefined) return;
    await wire.observe(manager, stream.answer());
    if (await goOn(asking, said)) continue;
    yield* stream.close();
    return;
  }
}

function streamOf(events: AsyncGenerator<Json>, end: string): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  return new ReadableStream({
    pull: async (controller) => {
      const next = await events.next();
      if (next.done !== true) controller.enqueue(encoder.encode(eventText(next.value)));
      else {
        if (end !== '') controller.enqueue(encoder.encode(end));
        controller.close();
      }
    },
    cancel: async () => {
      await events.return(undefined);
    },
  });
}

/** The body of a request that can be managed, and how its API speaks. */
interface Conversation {
  readonly wire: Wire;
  readonly hidden: HiddenExchanges;
  readonly body: Json;
  readonly isStreamed: boolean;
}

function jsonOf(body: unknown): Json | undefined {
  if (typeof body !== 'string' || !body.startsWith('{')) return undefined;
  return JSON.parse(body) as Json;
}

function asked(
  { wire, hidden, body, isStreamed }: Conversation,
  manager: ContextManager,
  { send, signal }: Pick<Asking, 'send' | 'signal'>,
): Asking {
  const given = body[wire.listKey];
  const list = isList(given) ? given : [];
  const tools = manager.tools();
  const restored = { ...body, [wire.listKey]: hidden.restore(list) };
  return {
    ...{
      wire,
      manager,
      hidden,
      send,
      isStreamed,
      at: list.length,
      whole: [],
      visible: [],
      rounds: 0,
    },
    own: new Set(tools.map(({ name }) => name)),
    given: body,
    body: wire.offer(restored, tools),
    ...(signal === undefined ? {} : { signal }),
  };
}

/** Says what went wrong here as the API says what went wrong there: the SDK shows it, and does not ask again. */
function refusal(wire: Wire, error: unknown): Response {
  if (!isCtxError(error) || error.code === 'CTX_ABORTED') throw error;
  const headers = { 'content-type': 'application/json', 'x-should-retry': 'false' };
  return new Response(JSON.stringify(wire.errorBody(error.message)), { status: 400, headers });
}

async function answer(asking: Asking): Promise<Response> {
  const response = await sendFitting(asking);
  if (!response.ok) return response;
  if (!asking.isStreamed) return answerWhole(asking, response);
  return withBody(response, streamOf(eventsOf(asking, response), asking.wire.endOfStream));
}

/** The session of a client. */
export interface FetchSession {
  readonly manager: ContextManager;
  readonly exchanges: KeptExchanges;
}

/**
 * Puts a manager between an SDK's client and the network. What is no conversation of the wires goes through as it is; so does
 * every answer in which ctx's tools are not called.
 */
export function contextFetch(
  wires: readonly Wire[],
  open: () => Promise<FetchSession>,
  base: Fetch,
): Fetch {
  const known = new Map<Wire, Promise<HiddenExchanges>>();
  const hiddenOf = (wire: Wire, { exchanges }: FetchSession): Promise<HiddenExchanges> => {
    const hidden = known.get(wire) ?? hiddenExchanges(wire, exchanges);
    known.set(wire, hidden);
    return hidden;
  };
  return async (url, init = {}) => {
    const { pathname } = new URL(url instanceof Request ? url.url : url);
    const body = jsonOf(init.body);
    const wire = wires.find(({ path }) => path.test(pathname));
    if (body === undefined || wire === undefined) return base(url, init);
    const headers = new Headers(init.headers);
    headers.delete('content-length');
    const send = (fitting: Json): Promise<Response> =>
      base(url, { ...init, headers, body: JSON.stringify(fitting) });
    try {
      const conversation = wire.conversationOf(body, pathname);
      if (conversation === undefined) return await base(url, init);
      const signal = init.signal ?? undefined;
      const sending = signal === undefined ? { send } : { send, signal };
      const isStreamed = wire.isStreamed(body, pathname);
      const session = await open();
      const hidden = await hiddenOf(wire, session);
      const given = { wire, hidden, body: conversation, isStreamed };
      const asking = asked(given, session.manager, sending);
      return await answer(asking);
    } catch (error) {
      return refusal(wire, error);
    }
  };
}
