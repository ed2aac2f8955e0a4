import { listOf, recordOf } from '../openai/body-parts.ts';
import type { Json, OwnCall, Said } from '../with-context/wire.ts';
import { callIn, partsOf } from './parts.ts';

/** Returns what the first candidate of an answer says. */
export const contentOf = (answer: Json): Json =>
  recordOf(recordOf(listOf(answer['candidates'])[0])['content']);

/** Whether a part calls a tool of ctx. */
export function isOwnCall(part: Json, own: ReadonlySet<string>): boolean {
  const call = callIn(part);
  return call !== undefined && own.has(String(call['name']));
}

const turnOf = (parts: readonly Json[]): readonly Json[] =>
  parts.length === 0 ? [] : [{ role: 'model', parts }];

/** Returns what a turn of the model says. */
export function saidByContent(content: Json, own: ReadonlySet<string>): Said {
  const parts = partsOf(content);
  const others = parts.filter((part) => !isOwnCall(part, own));
  return {
    whole: turnOf(parts),
    visible: turnOf(others),
    own: parts.flatMap((part): OwnCall[] => {
      const call = callIn(part);
      if (call === undefined || !own.has(String(call['name']))) return [];
      const { id = '', name, args = {} } = call;
      return [{ id: String(id), name: String(name), input: args }];
    }),
    callsHost: others.some((part) => callIn(part) !== undefined),
  };
}

/** Returns one turn for those of several rounds. */
export function joinedContents(visible: readonly Json[]): Json {
  return { role: 'model', parts: visible.flatMap(partsOf) };
}
