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

/** Reads the events of a streamed response, and hides the calls of ctx's tools from the host. */
export function streamedResponse(
  own: ReadonlySet<string>,
  before: readonly StreamedAnswer[],
): StreamedAnswer {
  const last = before.at(-1);
  const known = last && roundsOf.get(last);
  const rounds: Rounds = known ?? {
    items: 0,
    events: 0,
    output: [],
    usage: undefined,
    id: undefined,
  };
  /** Where the host sees an item, by where the API says that it is; `undefined` for a hidden one. */
  const places = new Map<unknown, number | undefined>();
  let ending: Json | undefined;
  const numbered = (event: Json): Json => ({ ...event, sequence_number: rounds.events++ });
  const responseOf = (): Json => recordOf(ending?.['response']);
  const placeOf = (event: Json): number | undefined => {
    const { type, output_index: index } = event;
    if (type === 'response.output_item.added') {
      const isHidden = isOwnCall(recordOf(event['item']), own);
      places.set(index, isHidden ? undefined : rounds.items++);
    }
    return places.get(index);
  };
  const take = (event: Json): readonly Json[] => {
    const { type } = event;
    if (beginnings.has(type)) {
      rounds.id ??= recordOf(event['response'])['id'];
      return before.length === 0 ? [numbered(event)] : [];
    }
    if (endings.has(type)) {
      ending = event;
      return [];
    }
    if (!('output_index' in event)) return [numbered(event)];
    const place = placeOf(event);
    return place === undefined ? [] : [numbered({ ...event, output_index: place })];
  };
  const stream: StreamedAnswer = {
    take,
    said: () => {
      if (ending === undefined) return undefined;
      const said = saidByResponse(listOf(responseOf()['output']), own);
      rounds.output.push(...said.visible);
      rounds.usage = addUsage(rounds.usage, responseOf()['usage']);
      return said;
    },
    answer: responseOf,
    close: () => {
      const { output, usage, id } = rounds;
      const response = { ...responseOf(), ...(id === undefined ? {} : { id }), output, usage };
      return [numbered({ ...ending, response })];
    },
  };
  roundsOf.set(stream, rounds);
  return stream;
}
