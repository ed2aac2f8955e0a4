import type { Json, OwnCall, Said } from '../../with-context/wire.ts';
import { inputOf } from '../body-parts.ts';

const isReasoning = ({ type }: Json): boolean => type === 'reasoning';

/** Tells whether an item of a response calls one of ctx's tools. */
export function isOwnCall({ type, name }: Json, own: ReadonlySet<string>): boolean {
  return type === 'function_call' && own.has(String(name));
}

/** Returns the items without the calls of ctx's tools, and without reasoning that led to nothing else: the API refuses it alone. */
function visibleItems(items: readonly Json[], own: ReadonlySet<string>): readonly Json[] {
  return items.filter((item, at) => {
    if (!isReasoning(item)) return !isOwnCall(item, own);
    const rest = items.slice(at + 1);
    const next = rest.findIndex(isReasoning);
    const results = next === -1 ? rest : rest.slice(0, next);
    return results.length === 0 || results.some((each) => !isOwnCall(each, own));
  });
}

/** Returns what the items of a response say. */
export function saidByResponse(items: readonly Json[], own: ReadonlySet<string>): Said {
  const calls = items.filter((item) => isOwnCall(item, own));
  return {
    whole: items,
    visible: calls.length === 0 ? items : visibleItems(items, own),
    own: calls.map(({ call_id: id, name, arguments: input }): OwnCall => {
      return { id: String(id), name: String(name), input: inputOf(input) };
    }),
    callsHost: items.some(
      (item) =>
        String(item['type']).endsWith('_call') && 'call_id' in item && !isOwnCall(item, own),
    ),
  };
}
