import type { Json } from '../with-context/wire.ts';
import { callIn, partsOf, responseIn, roleOf } from './parts.ts';

/** How ids begin that were given here. */
const given = 'ctx:';

/** A call that waits for its response. */
interface OpenCall {
  readonly id: string;
  readonly name: unknown;
}

function takeCall(open: OpenCall[], { id, name }: Json): string | undefined {
  const at = open.findIndex((call) => (id === undefined ? call.name === name : call.id === id));
  return at < 0 ? undefined : open.splice(at, 1)[0]?.id;
}

/**
 * Gives each call an id, and each response that of its call: Gemini tells them apart by name and order where they have none. The same
 * conversation gets the same ids as long as it only grows.
 */
export function withCallIds(contents: readonly Json[]): readonly Json[] {
  let open: OpenCall[] = [];
  return contents.map((content, at) => {
    if (roleOf(content) === 'model') open = [];
    const parts = partsOf(content).map((part, index) => {
      const [call, response] = [callIn(part), responseIn(part)];
      if (call !== undefined) {
        const id =
          typeof call['id'] === 'string' ? call['id'] : `${given}${String(at)}.${String(index)}`;
        open.push({ id, name: call['name'] });
        return call['id'] === id ? part : { ...part, functionCall: { ...call, id } };
      }
      if (response === undefined) return part;
      const id =
        takeCall(open, response) ?? response['id'] ?? `${given}${String(at)}.${String(index)}`;
      return response['id'] === id ? part : { ...part, functionResponse: { ...response, id } };
    });
    return { ...content, parts };
  });
}

function withoutId(part: Json): Json {
  for (const name of ['functionCall', 'functionResponse'] as const) {
    const said = name === 'functionCall' ? callIn(part) : responseIn(part);
    if (said === undefined || !String(said['id']).startsWith(given)) continue;
    const { id: _id, ...rest } = said;
    return { ...part, [name]: rest };
  }
  return part;
}

/** Takes the ids off again that {@link withCallIds} gave. */
export function withoutCallIds(contents: readonly Json[]): readonly Json[] {
  return contents.map((content) => ({ ...content, parts: partsOf(content).map(withoutId) }));
}
