import { fingerprintText } from '@ctx/core/encoding';
import type { ContextStore } from '@ctx/store';
import { type CachePrice, cachePriceOf, modelProfile, type WindowPolicy } from '@ctx/truncation';
import type { Caller, ClientMessage, Dialect } from '../dialects/dialect.ts';
import { createFixedMeter } from '../requests/read-request.ts';
import { type Account, openAccount } from '../totals/account.ts';
import { priceOfModel } from '../totals/model-prices.ts';
import { type Conversation, openConversation } from './conversation.ts';
import { isMarked, type MarkedLane } from './name-session.ts';

/** A conversation that this process serves, and what is kept of it beside its window. */
export interface Lane extends MarkedLane {
  conversation: Conversation | undefined;
  /** The one that decided the last request, if it had to be closed: while the store fails, its decisions still hold. */
  before: Conversation | undefined;
  /** Length of its newest request, characters. */
  characters: number;
  /** The messages of its newest request. */
  known: readonly ClientMessage[];
  /** Characters of its newest request: four to five times as many bytes are held while it is open. */
  size: number;
  meter: ReturnType<typeof createFixedMeter>;
  readonly account: Account;
  /** Whether everything goes out as the client writes it, because the provider refused what was shaped. */
  isWatched: boolean;
  /** Whether everything goes out as the client writes it, to compare; `undefined` until it is known. */
  isHeldOut: boolean | undefined;
  /** How many messages went out as the client wrote them while the window could not be used. */
  sentWhole: number;
  /** Whether the tool is offered to its model: from the first request on, or never. */
  hasTool: boolean;
  /** JSON of the tools that its requests come with. */
  tools: string | undefined;
  /** The calls of the tool that the model made, by id. */
  readonly calls: Map<string, unknown>;
  /** The messages that hold answers to them, by what the client wrote. */
  readonly answered: WeakMap<ClientMessage, ClientMessage>;
  /** What is being done: one request after the other. */
  last: Promise<unknown>;
}

/** What is known of a request when its lane is looked for. */
export interface LaneRequest {
  readonly dialect: Dialect;
  readonly caller: Caller;
  /** What its first message says, hashed. */
  readonly firstKey: string;
  /** Tells it from another conversation that begins with the same words, if the client names none. */
  readonly branch?: string;
  readonly model: string;
  readonly body: { readonly length: number };
  /** Whether the client's marks ask for an hour. */
  readonly isHour: boolean;
  readonly isLargeWindow: boolean;
  /** Whether the client tells the provider what becomes of its thinking: then it stays as the client sends it. */
  readonly keepsThinking: boolean;
  /** Whether one more tool can be put into its list. */
  readonly canHaveTool: boolean;
}

/** Most conversations that are kept open, and most characters of their newest requests; the one that rested longest is closed for the next. */
const maxLanes = 256;
const maxCharacters = 64_000_000;

/** {@link RegistryOptions.openCharacters} unless given: one conversation of 200,000 tokens then takes at most 144 MB, 64 of them 242 (bench `proxy-memory`). */
const usualOpenCharacters = 2 ** 22;

const largeWindowTokens = 1_000_000;

/** Digits cost the fewest tokens of all names that no two conversations share: three are one token. */
const nameDigits = 15;

/**
 * The session of a conversation, by what the client calls it and how it begins, which is different after the client compacted it.
 * It stands in each line that names what left, so it is short.
 */
export function sessionIdOf({ caller, firstKey, branch }: LaneRequest): string {
  const { client, conversation = null } = caller;
  const hash = fingerprintText(JSON.stringify([client, conversation, firstKey, branch ?? null]));
  const digits = BigInt(`0x${hash.slice(0, 16)}`) % 10n ** BigInt(nameDigits);
  return `p${String(digits).padStart(nameDigits, '0')}`;
}

/** Does one thing of a lane after the other. */
export function inTurn<Result>(lane: Lane, work: () => Promise<Result>): Promise<Result> {
  const turn = lane.last.then(work);
  lane.last = turn.catch(() => undefined);
  return turn;
}

/** Keeps the conversations of a proxy. */
export interface Registry {
  laneOf(request: LaneRequest): Lane;
  /** Opens the window of a lane, if it is not open, or follows what another process did with its session. */
  opened(lane: Lane, request: LaneRequest): Promise<Conversation>;
  close(): Promise<void>;
}

function priceOf({ model, isHour, dialect }: LaneRequest): CachePrice {
  const { price } = priceOfModel(model);
  if (!isHour || dialect.name !== 'anthropic') return price;
  const { write, lifetimeMs } = cachePriceOf('anthropic-1h');
  return { ...price, write, lifetimeMs };
}

function newLane(store: ContextStore, request: LaneRequest): Lane {
  return {
    sessionId: sessionIdOf(request),
    begun: undefined,
    conversation: undefined,
    before: undefined,
    characters: 0,
    known: [],
    size: 0,
    meter: createFixedMeter(store.countTokens),
    account: openAccount(priceOf(request)),
    isWatched: false,
    isHeldOut: undefined,
    sentWhole: 0,
    hasTool: false,
    tools: undefined,
    calls: new Map(),
    answered: new WeakMap(),
    last: Promise.resolve(),
  };
}

/** What a registry is made of. */
export interface RegistryOptions {
  readonly store: ContextStore;
  readonly policy: WindowPolicy;
  /** Whether new conversations get the tool. */
  readonly isOffering: boolean;
  /** Whether every request goes out as the client writes it. */
  readonly isWatching?: boolean;
  /** Characters of newest requests whose conversations stay open. Default 4,194,304. */
  readonly openCharacters?: number | undefined;
}

/** Lets go what can be read from the store again when the conversation goes on. */
function rest(lane: Lane, { countTokens }: ContextStore): void {
  lane.size = 0;
  lane.last = lane.last
    .then(async () => {
      // It may have been asked again meanwhile.
      if (lane.size > 0) return;
      const { conversation } = lane;
      lane.conversation = undefined;
      lane.before = undefined;
      lane.known = [];
      lane.meter = createFixedMeter(countTokens);
      await conversation?.close();
    })
    .catch(() => undefined);
}

function openFor(
  { sessionId, sentWhole, hasTool, isHeldOut, isWatched }: Lane,
  request: LaneRequest,
  { store, policy, isWatching = false }: RegistryOptions,
): Promise<Conversation> {
  const { dialect, model, isLargeWindow } = request;
  const { windowTokens } = modelProfile(model);
  return openConversation({
    store,
    policy: {
      ...policy,
      exceptions: 'stay',
      ...(isWatching || isHeldOut === true || isWatched ? { arrivals: 'whole' } : {}),
      ...(request.keepsThinking ? { thinking: 'stays' } : {}),
    },
    sessionId,
    dialect,
    price: priceOf(request),
    windowTokens: isLargeWindow ? Math.max(windowTokens, largeWindowTokens) : windowTokens,
    sentWhole,
    hasTool,
  });
}

/** Closes those that rested longest, which come first; the last, which is asked now, stays open however large it is. */
function restOldest(
  lanes: readonly Lane[],
  { store, openCharacters = usualOpenCharacters }: RegistryOptions,
): void {
  let held = lanes.reduce((sum, { size }) => sum + size, 0);
  for (const lane of lanes.slice(0, -1)) {
    if (held <= openCharacters) return;
    held -= lane.size;
    if (lane.size > 0) rest(lane, store);
  }
}

export function createRegistry(options: RegistryOptions): Registry {
  const { store, isOffering } = options;
  const lanes = new Map<string, Lane>();
  const dropOldest = (): void => {
    let characters = [...lanes.values()].reduce((sum, lane) => sum + lane.characters, 0);
    for (const [sessionId, lane] of lanes) {
      const isFull = lanes.size > maxLanes || characters > maxCharacters;
      if (!isFull || lanes.size === 1) return;
      lanes.delete(sessionId);
      characters -= lane.characters;
      lane.last = lane.last.then(() => lane.conversation?.close()).catch(() => undefined);
    }
  };
  const openAgain = async (lane: Lane, request: LaneRequest): Promise<Conversation> => {
    const isWanted = isOffering && request.canHaveTool;
    lane.hasTool = await isMarked(store, lane, { mark: 'proxy_read_tool', isWanted });
    const conversation = await openFor(lane, request, options);
    await lane.conversation?.close().catch(() => undefined);
    lane.conversation = conversation;
    return conversation;
  };
  return {
    laneOf: (request) => {
      const sessionId = sessionIdOf(request);
      const lane = lanes.get(sessionId) ?? newLane(store, request);
      lanes.delete(sessionId);
      lane.characters = request.body.length;
      lanes.set(sessionId, lane);
      dropOldest();
      restOldest([...lanes.values()], options);
      return lane;
    },
    opened: async (lane, request) => {
      const kept = lane.conversation;
      // What cannot be followed says why when it is opened again.
      const isCurrent = (await kept?.follow().catch(() => false)) === true;
      const conversation = kept !== undefined && isCurrent ? kept : await openAgain(lane, request);
      const calls = lane.hasTool ? conversation.readCalls() : [];
      for (const [id, args] of calls) lane.calls.set(id, args);
      return conversation;
    },
    close: async () => {
      for (const lane of lanes.values()) {
        await lane.last;
        await lane.conversation?.close().catch(() => undefined);
      }
      lanes.clear();
    },
  };
}
