import { addUsage } from '../../with-context/add-usage.ts';
import type { Json, StreamedAnswer } from '../../with-context/wire.ts';
import { listOf, recordOf } from '../body-parts.ts';
import { isOwnCall, saidByResponse } from './said-by-response.ts';

/** What the rounds of one request have in common. */
interface Rounds {
  /** Items and events that the host saw. */
  items: number;
  events: number;
  readonly output: Json[];
  usage: unknown;
  id: unknown;
}

const roundsOf = new WeakMap<StreamedAnswer, Rounds>();

const beginnings: ReadonlySet<unknown> = new Set([
  'response.created',
  'response.queued',
  'response.in_progress',
]);
const endings: ReadonlySet<unknown> = new Set(['response.completed', 'response.incomplete']);

/** One response while it arrives. */
class ComingResponse {
  readonly #own: ReadonlySet<string>;
  readonly #rounds: Rounds;
  readonly #isFirst: boolean;
  /** Where the host sees an item, by where the API says that it is; `undefined` for a hidden one. */
  readonly #places = new Map<unknown, number | undefined>();
  ending: Json | undefined;

  constructor(own: ReadonlySet<string>, rounds: Rounds, isFirst: boolean) {
    this.#own = own;
    this.#rounds = rounds;
    this.#isFirst = isFirst;
  }

  response(): Json {
    return recordOf(this.ending?.['response']);
  }

  numbered(event: Json): Json {
    return { ...event, sequence_number: this.#rounds.events++ };
  }

  #placeOf(event: Json): number | undefined {
    const { type, output_index: index } = event;
    if (type === 'response.output_item.added') {
      const isHidden = isOwnCall(recordOf(event['item']), this.#own);
      this.#places.set(index, isHidden ? undefined : this.#rounds.items++);
    }
    return this.#places.get(index);
  }

  /** Takes an event; returns what the host may see of it now. The end is kept for the last round. */
  take(event: Json): readonly Json[] {
    const { type } = event;
    if (beginnings.has(type)) {
      this.#rounds.id ??= recordOf(event['response'])['id'];
      return this.#isFirst ? [this.numbered(event)] : [];
    }
    if (endings.has(type)) {
      this.ending = event;
      return [];
    }
    if (!('output_index' in event)) return [this.numbered(event)];
    const place = this.#placeOf(event);
    return place === undefined ? [] : [this.numbered({ ...event, output_index: place })];
  }
}

function newRounds(): Rounds {
  return { items: 0, events: 0, output: [], usage: undefined, id: undefined };
}

/** Reads the events of a streamed response, and hides the calls of ctx's tools from the host. */
export function streamedResponse(
  own: ReadonlySet<string>,
  before: readonly StreamedAnswer[],
): StreamedAnswer {
  const last = before.at(-1);
  const rounds = (last && roundsOf.get(last)) ?? newRounds();
  const coming = new ComingResponse(own, rounds, last === undefined);
  const stream: StreamedAnswer = {
    take: (event) => coming.take(event),
    said: () => {
      if (coming.ending === undefined) return undefined;
      const said = saidByResponse(listOf(coming.response()['output']), own);
      rounds.output.push(...said.visible);
      rounds.usage = addUsage(rounds.usage, coming.response()['usage']);
      return said;
    },
    answer: () => coming.response(),
    close: () => {
      const { output, usage, id } = rounds;
      const response = { ...coming.response(), ...(id === undefined ? {} : { id }), output, usage };
      return [coming.numbered({ ...coming.ending, response })];
    },
  };
  roundsOf.set(stream, rounds);
  return stream;
}
