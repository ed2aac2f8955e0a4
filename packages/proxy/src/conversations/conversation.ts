import type { Message } from '@ctx/core';
import type { ContextStore } from '@ctx/store';
import { messageCounter } from '@ctx/tokens';
import {
  type CachePrice,
  openSessionWindow,
  type SegmentReason,
  type SessionWindow,
  type UsageReport,
  type WindowPolicy,
} from '@ctx/truncation';
import type { ClientMessage, Dialect } from '../dialects/dialect.ts';
import { errorsIn, readCallsIn } from '../read-back/calls-in-view.ts';
import type { ReadRequest } from '../requests/read-request.ts';
import { countCalls } from './count-calls.ts';
import { previewsOf } from './previews.ts';
import { redactMessage } from './redact-message.ts';
import { createSentView, type SentMessage, type SentView } from './sent-view.ts';

type Flush = NonNullable<Awaited<ReturnType<SessionWindow['request']>>['flush']>;
type WindowSizes = Parameters<SessionWindow['resize']>[0];

/** How a conversation is opened. */
export interface ConversationOptions {
  readonly store: ContextStore;
  readonly sessionId: string;
  readonly dialect: Dialect;
  readonly policy: WindowPolicy;
  readonly price: CachePrice;
  readonly windowTokens: number;
  /** How many messages went out as the client wrote them while the window could not be used. */
  readonly sentWhole: number;
  /** Whether the model reads back with a tool of the proxy's instead of a shell. */
  readonly hasTool: boolean;
}

/** A request as it goes out. */
export interface ShapedRequest {
  /** The elements of the list; `undefined` if they are those that the client sent. */
  readonly elements?: readonly string[];
  readonly flush?: Flush;
  /** How many messages of the client's history were taken back, because it went on from an earlier one. */
  readonly rewound: number;
  /** Says what became of each block. Cost: the log, when it is asked first, so that no request waits for it. */
  readonly segments: () => readonly SegmentReason[];
}

/** A message of the client that the window has. */
interface FollowedMessage {
  readonly key?: string | undefined;
  /** The event to go back to so that the message is not there yet. */
  readonly before: number;
}

/** One conversation: its window, and what of it was sent. */
export interface Conversation {
  readonly sessionId: string;
  /** How many of the messages it has already, from the first on. */
  common(keys: readonly string[]): number;
  /** How many messages it has. */
  readonly length: number;
  /**
   * Takes what is new, lets go what pays, and returns what goes out. What it decided is in the store when it resolves.
   * @throws CtxError of the store, and `CTX_WINDOW_OVERFLOW` if the request cannot be made to fit.
   */
  shape(request: ReadRequest, now: number): Promise<ShapedRequest>;
  /**
   * Takes what is new of a request that goes out as the client wrote it, and again what went out shaped before: the log says what the
   * provider has now. Returns whether there was such.
   */
  record(request: ReadRequest, now: number): Promise<boolean>;
  /** Whether a request was decided since it was opened. */
  readonly hasSent: boolean;
  /** The previous request with the new messages appended as the client wrote them: sent if nothing can be decided. */
  repeat(request: ReadRequest): readonly string[] | undefined;
  observe(usage: Parameters<SessionWindow['observe']>[0]): Promise<UsageReport>;
  /** Takes a refusal; says whether it was because the request was too long. */
  overflowed(error: unknown): Promise<boolean>;
  /** Takes what other processes did with the session since. Says whether it can go on; if not, it has to be opened again. */
  follow(): Promise<boolean>;
  /** The calls of the tool that are in view, by id. */
  readCalls(): ReadonlyMap<string, unknown>;
  /** The ids of the results in view that are errors: those that were sent so stay so. */
  errors(): ReadonlySet<string>;
  close(): Promise<void>;
}

/** What a conversation holds while it is open. */
interface OpenConversation extends ConversationOptions {
  readonly window: SessionWindow;
  readonly view: SentView;
  followed: FollowedMessage[];
  /** How many of the followed messages the view has received. */
  viewed: number;
  plan: readonly SentMessage[];
  planned: number;
  sizes: WindowSizes;
  /** Whether everything in the log is known to stand there as the client wrote it. */
  isPlain: boolean;
  /** What the last request showed. */
  segments: ShapedRequest['segments'];
}

/** Goes back to where the client's history parts from what is known. Returns how many messages were taken back. */
async function rewindTo(open: OpenConversation, common: number): Promise<number> {
  const { followed, window, view } = open;
  const first = followed[common];
  if (first === undefined) return 0;
  await window.rewind(first.before);
  open.followed = followed.slice(0, common);
  open.viewed = Math.min(open.viewed, common);
  open.planned = 0;
  view.cutTo(open.viewed);
  return followed.length - common;
}

function commonLength(followed: readonly FollowedMessage[], keys: readonly string[]): number {
  const parting = followed.findIndex(({ key }, index) => key === undefined || key !== keys[index]);
  return parting < 0 ? followed.length : parting;
}

/** Takes the messages that are new; those of before a restart are only told to the view. */
async function takeNew(open: OpenConversation, messages: readonly ClientMessage[]): Promise<void> {
  const { store, sessionId, window, view, followed } = open;
  const from = followed.length;
  const fresh: Message[] = [];
  for (const [index, { message }] of messages.entries()) {
    if (index < open.viewed) continue;
    const taken = redactMessage(store.redactor, message);
    const wasSent = index >= from && index < open.sentWhole;
    view.take({ given: message, taken, wasSent });
    open.viewed = index + 1;
    if (index >= from) fresh.push(taken);
  }
  if (fresh.length === 0) return;
  const keys = messages.slice(from).map(({ key }) => key);
  const sequences = await window.insert(fresh, { keys });
  for (const [index, sequence] of sequences.entries()) {
    followed.push({ key: keys[index], before: sequence - 1 });
  }
  countCalls(store, sessionId, { messages: messages.map(({ message }) => message), from });
}

/** What the window shows now, whatever changes later: it is asked once at most. */
function shownBy(window: SessionWindow): ShapedRequest['segments'] {
  let found: readonly SegmentReason[] | undefined;
  return () => (found ??= window.explain());
}

function sizesOf({ windowTokens }: OpenConversation, request: ReadRequest): WindowSizes {
  const { fixedTokens, fixed, answerTokens } = request;
  const parts = fixed === undefined ? {} : { fixed };
  return { windowTokens, fixedTokens, ...parts, answerTokens };
}

/** What a request that goes out as the client wrote it is made of: its tools are others than those with the tool of the proxy. */
function partsAlone({ hasTool }: OpenConversation, { parts }: ReadRequest): ReadRequest['parts'] {
  return hasTool ? { ...parts, tools: `${parts.tools ?? ''} alone` } : parts;
}

/** Tells the window its sizes, if they are not those that it was told. */
async function tellSizes(open: OpenConversation, request: ReadRequest): Promise<void> {
  const { fixedTokens, fixed, answerTokens } = request;
  const { sizes } = open;
  const isKnown =
    sizes.fixedTokens === fixedTokens &&
    sizes.fixed === fixed &&
    sizes.answerTokens === answerTokens;
  if (isKnown) return;
  open.sizes = sizesOf(open, request);
  await open.window.resize(open.sizes);
}

function isAsGiven(plan: readonly SentMessage[], count: number): boolean {
  return (
    plan.length === count && plan.every((sent, index) => 'whole' in sent && sent.whole === index)
  );
}

async function shape(
  open: OpenConversation,
  request: ReadRequest,
  now: number,
): Promise<ShapedRequest> {
  const { messages, parts } = request;
  const { window } = open;
  const keys = messages.map(({ key }) => key);
  open.segments();
  const rewound = await rewindTo(open, commonLength(open.followed, keys));
  const { messages: view, flush } = await window.inOneWrite(async () => {
    await takeNew(open, messages);
    await tellSizes(open, request);
    return window.request(now, parts);
  });
  open.plan = open.view.plan(view);
  open.planned = messages.length;
  open.isPlain = false;
  open.segments = shownBy(window);
  const isRewritten = messages.some((message) => message.isRewritten === true);
  const common = {
    rewound,
    segments: open.segments,
    ...(flush === undefined ? {} : { flush }),
  };
  if (!isRewritten && isAsGiven(open.plan, messages.length)) return common;
  return { ...common, elements: open.view.render(open.plan, messages) };
}

async function record(open: OpenConversation, request: ReadRequest, now: number): Promise<boolean> {
  const { messages } = request;
  const keys = messages.map(({ key }) => key);
  const shaped = open.isPlain
    ? undefined
    : open.window.explain().find(({ form }) => form !== 'whole');
  const common = commonLength(open.followed, keys);
  await rewindTo(open, Math.min(common, shaped?.message ?? common));
  await open.window.inOneWrite(async () => {
    await takeNew(open, messages);
    open.sizes = sizesOf(open, request);
    await open.window.resize({
      ...open.sizes,
      sent: { at: now, parts: partsAlone(open, request) },
    });
  });
  open.isPlain = true;
  return shaped !== undefined;
}

function repeat(open: OpenConversation, { messages }: ReadRequest): readonly string[] | undefined {
  const { plan, planned, view } = open;
  const isRewritten = messages.some((message) => message.isRewritten === true);
  if (planned === 0 || planned > messages.length) return undefined;
  if (!isRewritten && isAsGiven(plan, planned)) return undefined;
  const rest = messages.slice(planned).map((_, index) => ({ whole: planned + index }));
  return view.render([...plan, ...rest], messages);
}

async function follow(open: OpenConversation): Promise<boolean> {
  const { window, followed } = open;
  const before = window.next;
  open.segments();
  const marks = await window.follow();
  for (const mark of marks ?? []) followed.push(mark);
  if (window.next !== before) {
    open.sizes = {};
    open.isPlain = false;
  }
  return marks !== undefined;
}

/** Opens the conversation of a session where it left off. Reads its log. */
export async function openConversation(options: ConversationOptions): Promise<Conversation> {
  const { store, sessionId, policy, price, windowTokens, dialect, hasTool } = options;
  const window = await openSessionWindow({
    store,
    sessionId,
    policy,
    price,
    windowTokens,
    tokensOf: messageCounter({ counter: store.countTokens }),
    previewText: previewsOf(store.countTokens, hasTool),
    namesMessages: true,
    sharesMessages: true, // Blocks are found again by identity, and none is changed.
  });
  const open: OpenConversation = {
    ...options,
    window,
    view: createSentView(dialect, hasTool ? undefined : sessionId),
    followed: [...window.opened],
    viewed: 0,
    plan: [],
    planned: 0,
    sizes: {},
    isPlain: false,
    segments: () => [],
  };
  return {
    sessionId,
    common: (keys) => commonLength(open.followed, keys),
    get length() {
      return open.followed.length;
    },
    get hasSent() {
      return open.planned > 0;
    },
    shape: (request, now) => shape(open, request, now),
    record: (request, now) => record(open, request, now),
    repeat: (request) => repeat(open, request),
    observe: (usage) => window.observe(usage),
    overflowed: async (error) => (await window.overflowed(error)) !== undefined,
    follow: () => follow(open),
    readCalls: () => readCallsIn(window.view()),
    errors: () => errorsIn(window.view()),
    close: () => window.close(),
  };
}
