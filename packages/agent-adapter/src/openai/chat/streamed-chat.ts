import { addUsage } from '../../with-context/add-usage.ts';
import type { Json, StreamedAnswer } from '../../with-context/wire.ts';
import { listOf, recordOf } from '../body-parts.ts';
import { finishReason, joinedChoices, saidByChoice } from './said-by-choice.ts';

/** What the rounds of one request have in common. */
interface Rounds {
  /** Calls that the host saw. */
  shown: number;
  readonly visible: Json[];
  usage: unknown;
  /** Members by which the host recognizes the chunks of one answer. */
  head: Json | undefined;
}

/** A call as far as it came. */
interface Call {
  readonly value: Json;
  /** Its place in what the host sees; `undefined` for a call of ctx's tools. */
  readonly index: number | undefined;
}

const roundsOf = new WeakMap<StreamedAnswer, Rounds>();

/** Adds what a delta says: strings grow, everything else is replaced. */
function grown(before: Json, delta: Json): Json {
  const changed = Object.entries(delta).map(([name, value]): [string, unknown] => {
    const known = before[name];
    const isText = typeof known === 'string' && typeof value === 'string';
    return [name, isText && !['role', 'id', 'type'].includes(name) ? known + value : value];
  });
  return { ...before, ...Object.fromEntries(changed) };
}

/** One answer while it arrives. */
class ComingChat {
  readonly #own: ReadonlySet<string>;
  readonly #rounds: Rounds;
  readonly #calls = new Map<unknown, Call>();
  #message: Json = { role: 'assistant', content: null };
  usage: unknown;
  last: Json | undefined;

  constructor(own: ReadonlySet<string>, rounds: Rounds) {
    this.#own = own;
    this.#rounds = rounds;
  }

  message(): Json {
    const calls = [...this.#calls.values()].map(({ value: { index: _index, ...call } }) => call);
    return calls.length === 0 ? this.#message : { ...this.#message, tool_calls: calls };
  }

  #takeCall(delta: Json): Json[] {
    const before = this.#calls.get(delta['index']);
    const called = recordOf(delta['function']);
    const isOwn = this.#own.has(String(called['name']));
    const index = before === undefined ? (isOwn ? undefined : this.#rounds.shown) : before.index;
    if (before === undefined && index !== undefined) this.#rounds.shown += 1;
    const known = before?.value ?? {};
    const value = { ...grown(known, delta), function: grown(recordOf(known['function']), called) };
    this.#calls.set(delta['index'], { value, index });
    return index === undefined ? [] : [{ ...delta, index }];
  }

  /** Takes a chunk; returns what the host may see of it now. The end is kept for the last round. */
  take(chunk: Json): readonly Json[] {
    if ((chunk['usage'] ?? undefined) !== undefined) this.usage = chunk['usage'];
    const [choice] = listOf(chunk['choices']);
    if (choice === undefined) return chunk['error'] === undefined ? [] : [chunk];
    const { choices: _choices, usage: _usage, ...head } = chunk;
    this.#rounds.head ??= head;
    return this.#takeChoice(choice);
  }

  #takeChoice(choice: Json): readonly Json[] {
    const { tool_calls: calls, ...delta } = recordOf(choice['delta']);
    this.#message = grown(this.#message, delta);
    const shown = listOf(calls).flatMap((call) => this.#takeCall(call));
    if ((choice['finish_reason'] ?? undefined) !== undefined) this.last = choice;
    if (Object.keys(delta).length === 0 && shown.length === 0) return [];
    const seen = shown.length === 0 ? delta : { ...delta, tool_calls: shown };
    return [{ ...this.#rounds.head, choices: [{ ...choice, delta: seen, finish_reason: null }] }];
  }
}

/** Reads the chunks of a streamed answer, and hides the calls of ctx's tools from the host. */
export function streamedChat(
  own: ReadonlySet<string>,
  before: readonly StreamedAnswer[],
  asked: Json,
): StreamedAnswer {
  const last = before.at(-1);
  const known = last && roundsOf.get(last);
  const rounds: Rounds = known ?? { shown: 0, visible: [], usage: undefined, head: undefined };
  const coming = new ComingChat(own, rounds);
  const wantsUsage = recordOf(asked['stream_options'])['include_usage'] === true;
  const stream: StreamedAnswer = {
    take: (chunk) => coming.take(chunk),
    said: () => {
      if (coming.last === undefined) return undefined;
      const said = saidByChoice(coming.message(), own);
      rounds.visible.push(...said.visible);
      rounds.usage = addUsage(rounds.usage, coming.usage);
      return said;
    },
    answer: () => ({ choices: [{ message: coming.message() }], usage: coming.usage }),
    close: () => {
      const message = joinedChoices(rounds.visible);
      const finish_reason = finishReason(coming.last?.['finish_reason'], message);
      const end = { ...rounds.head, choices: [{ ...coming.last, delta: {}, finish_reason }] };
      return wantsUsage ? [end, { ...rounds.head, choices: [], usage: rounds.usage }] : [end];
    },
  };
  roundsOf.set(stream, rounds);
  return stream;
}
