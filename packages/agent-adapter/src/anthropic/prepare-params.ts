import { copyData } from '@ctx/core/encoding';
import type { ContextManager } from '../context-manager/context-manager.ts';
import { prepareShared } from '../context-manager/request/prepare-shared.ts';
import type { PrepareReceipt } from '../context-manager/request/prepared.ts';
import { ofManager } from '../host-messages/of-manager.ts';
import { unmarked, wantsHour, withCacheMarks } from './cache-marks.ts';
import { type CacheLifetime, type CacheMark, hostMarks } from './host-marks.ts';
import type { ParamsShape } from './host-types.ts';
import { type SdkHistory, sdkMessages, type WrittenMessages } from './sdk-messages.ts';
import { asksForEdits, withClearAtLeast } from './server-edits.ts';

/** How a request is prepared. */
export interface PrepareParamsOptions {
  readonly signal?: AbortSignal;
  /** Whether marks for the prompt cache are added to the host's own, up to 4 in all. Default true. */
  readonly cacheMarks?: boolean;
  /** How long the provider keeps what the marks write. Default: an hour where the host's own marks ask for one, else `5m`. */
  readonly lifetime?: CacheLifetime;
}

/** A request that fits. */
export interface PreparedParams<Params extends ParamsShape> {
  /** To be handed to `messages.create`, `messages.stream` or their like. */
  readonly params: Params;
  readonly receipt: PrepareReceipt;
}

const messagesOf = ofManager(sdkMessages);

/** What goes with the messages: the block of a compaction takes room, too. */
function fixedParts(
  { model, max_tokens, system, tools, context_management: management }: ParamsShape,
  { compaction }: SdkHistory,
  signal: AbortSignal | undefined,
) {
  const plain = unmarked(system);
  return {
    model,
    system: compaction === undefined ? plain : [plain ?? null, compaction.data],
    tools: unmarked(tools),
    ...(max_tokens === undefined ? {} : { answerTokens: max_tokens }),
    providerEdits: asksForEdits(management),
    ...(signal === undefined ? {} : { signal }),
  };
}

/** A host's own marks stand in front, or on one of so many messages at the end. */
const newestMessages = 8;

/** The messages of a request, with what of them the host gave. */
interface WrittenRequest extends WrittenMessages {
  readonly history: SdkHistory;
}

function marksOf({ system, tools }: ParamsShape, written: WrittenRequest): CacheMark[] {
  return hostMarks({ system, tools, contents: written.marked });
}

function marked(
  params: ParamsShape,
  written: WrittenRequest,
  { lifetime, cacheMarks = true }: PrepareParamsOptions,
): Partial<ParamsShape> {
  const { model, messages } = params;
  const isHour = wantsHour(params.system, params.tools, messages.slice(-newestMessages));
  const { system, tools, ...rest } = withCacheMarks({
    messages: written.messages,
    canonical: written.canonical,
    offset: written.history.hidden.length,
    model,
    hosts: marksOf(params, written),
    isPlanned: cacheMarks,
    system: unmarked(params.system),
    tools: unmarked(params.tools),
    lifetime: lifetime ?? (isHour ? '1h' : '5m'),
  });
  return {
    ...rest,
    ...(system === undefined ? {} : { system }),
    ...(tools === undefined ? {} : { tools }),
  };
}

/**
 * Makes the request that goes out from the one that the host would send: messages that fit, marks for the prompt cache, everything
 * else as given. Call it before each request with the whole history; it keeps its own log of what left.
 * Nothing given is changed; blocks that the provider signed, encrypted or compacted go out exactly as they came, and what
 * the provider's compaction hid is left alone. With `context_management` nothing leaves here but what the window forces.
 * @throws as `ContextManager.prepare`.
 */
export async function prepareParams<Params extends ParamsShape>(
  manager: ContextManager,
  params: Params,
  options: PrepareParamsOptions = {},
): Promise<PreparedParams<Params>> {
  const codec = messagesOf(manager);
  const history = codec.read(params.messages);
  const settings = fixedParts(params, history, options.signal);
  const { messages: fitting, receipt } = await prepareShared(manager, history.messages, settings);
  const changed = marked(params, { ...codec.write(fitting, history), history }, options);
  const { context_management: management } = params;
  const size = { model: params.model, tokens: receipt.tokens };
  const edits = asksForEdits(management)
    ? { context_management: withClearAtLeast(management, size) }
    : {};
  // What the host does to the request reaches neither its history nor what is kept here.
  return { params: { ...params, ...copyData(changed), ...edits }, receipt };
}
