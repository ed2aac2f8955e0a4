import { addUsage } from '../../with-context/add-usage.ts';
import type { Json, StreamedAnswer } from '../../with-context/wire.ts';
import { isRecord } from '../plain-values.ts';
import { saidByMessage } from './said-by-message.ts';

/** A block on its way. */
interface Block {
  readonly content: Record<string, unknown>;
  /** Input of a call, as far as it came. */
  json: string;
  /** Place in what the host sees; `undefined` for a call of ctx's tools. */
  readonly index: number | undefined;
}

/** What came of an answer. */
interface Coming {
  /** Names of ctx's tools. */
  readonly own: ReadonlySet<string>;
  readonly blocks: Map<unknown, Block>;
  message: Json;
  ending: Json;
  isComplete: boolean;
}

/** Where the next answer of the same request goes on. */
interface Place {
  shown: number;
  /** What each round used. */
  readonly usages: Json[];
  hasBegun: boolean;
}

const places = new WeakMap<StreamedAnswer, Place>();

const recordOf = (value: unknown): Json => (isRecord(value) ? value : {});

/** Adds what a delta says: pieces of text are put together, everything else takes its place. */
function grow(block: Block, delta: Json): void {
  for (const [name, value] of Object.entries(delta)) {
    if (name === 'type') continue;
    const before = block.content[name];
    if (name === 'partial_json') block.json += String(value);
    else if (name === 'citation') {
      const known = block.content['citations'];
      block.content['citations'] = [...(Array.isArray(known) ? (known as unknown[]) : []), value];
    } else if (typeof value === 'string' && typeof before === 'string') {
      block.content[name] = before + value;
    } else block.content[name] = value;
  }
}

function contentOf({ blocks }: Coming): Json[] {
  return [...blocks.values()].map(({ content, json }) =>
    json === '' ? content : { ...content, input: JSON.parse(json) as unknown },
  );
}

function startBlock(coming: Coming, event: Json, place: Place): Json[] {
  const content = { ...recordOf(event['content_block']) };
  const isOwn = content['type'] === 'tool_use' && coming.own.has(String(content['name']));
  const index = isOwn ? undefined : place.shown;
  coming.blocks.set(event['index'], { content, json: '', index });
  if (index === undefined) return [];
  place.shown += 1;
  return [{ ...event, index }];
}

function goOnBlock({ blocks }: Coming, event: Json): Json[] {
  const block = blocks.get(event['index']);
  if (block === undefined) return [event];
  if (event['type'] === 'content_block_delta') grow(block, recordOf(event['delta']));
  return block.index === undefined ? [] : [{ ...event, index: block.index }];
}

function startMessage(coming: Coming, event: Json, place: Place): Json[] {
  coming.message = recordOf(event['message']);
  if (place.hasBegun) return [];
  place.hasBegun = true;
  return [event];
}

function usageOf({ message, ending }: Coming): Json {
  const told = Object.entries(recordOf(ending['usage'])).filter(([, value]) => value !== null);
  return { ...recordOf(message['usage']), ...Object.fromEntries(told) };
}

/** The event with which the host's message ends. */
function endingOf(coming: Coming, place: Place): Json {
  const delta = recordOf(coming.ending['delta']);
  const isDone = [...coming.blocks.values()].every(
    ({ content, index }) => content['type'] !== 'tool_use' || index === undefined,
  );
  const stop = delta['stop_reason'] === 'tool_use' && isDone ? { stop_reason: 'end_turn' } : {};
  const isAlone = place.usages.length === 1 && coming.blocks.size === place.shown;
  if (isAlone) return coming.ending;
  const usage = place.usages.reduce<unknown>(addUsage, undefined);
  return { ...coming.ending, delta: { ...delta, ...stop }, usage };
}

/** The answer as it would have come whole. */
function answerOf(coming: Coming): Json {
  const { type: _type, delta, ...told } = coming.ending;
  const content = contentOf(coming);
  return { ...coming.message, ...recordOf(delta), ...told, content, usage: usageOf(coming) };
}

/** Reads the events of a streamed message, and hides the calls of ctx's tools from the host. */
export function streamedMessage(
  own: ReadonlySet<string>,
  before: readonly StreamedAnswer[],
): StreamedAnswer {
  const last = before.at(-1);
  const known = last && places.get(last);
  const place: Place = known ?? { shown: 0, usages: [], hasBegun: false };
  const coming: Coming = { own, blocks: new Map(), message: {}, ending: {}, isComplete: false };
  const take = (event: Json): readonly Json[] => {
    switch (event['type']) {
      case 'message_start':
        return startMessage(coming, event, place);
      case 'content_block_start':
        return startBlock(coming, event, place);
      case 'content_block_delta':
      case 'content_block_stop':
        return goOnBlock(coming, event);
      case 'message_delta':
        coming.ending = event;
        return [];
      case 'message_stop':
        coming.isComplete = true;
        return [];
      default:
        return [event];
    }
  };
  const stream: StreamedAnswer = {
    take,
    said: () => {
      if (!coming.isComplete) return undefined;
      place.usages.push(usageOf(coming));
      return saidByMessage({ content: contentOf(coming) }, own);
    },
    answer: () => answerOf(coming),
    close: () => [endingOf(coming, place), { type: 'message_stop' }],
  };
  places.set(stream, place);
  return stream;
}
