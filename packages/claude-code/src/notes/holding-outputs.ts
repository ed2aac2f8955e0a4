import { type ContextPointer, isCtxError } from '@ctx/core';
import type { ContextStore } from '@ctx/store';

/** Most names of a prompt that are looked for. */
const maxNames = 3;

/** Outputs that are looked at for each name. */
const maxHits = 20;

/** What stands around names in prose. */
const around = new Set('`\'"“”„()[]{}<>,;:!?*'.split(''));

function trimmed(word: string): string {
  let [start, end] = [0, word.length];
  while (start < end && around.has(word.charAt(start))) start += 1;
  while (end > start && (around.has(word.charAt(end - 1)) || word.charAt(end - 1) === '.'))
    end -= 1;
  return word.slice(start, end);
}

/** A name with an ending, with its folder where it has one: `src/parser.ts`, `login3.test.ts`. */
function fileName(word: string): string | undefined {
  const path = trimmed(word)
    .split(/[/\\]/)
    .filter((part) => part !== '');
  const file = path.at(-1) ?? '';
  const dot = file.lastIndexOf('.');
  const ending = file.slice(dot + 1);
  const isName = dot > 0 && file.length > 4 && /^[a-z]\w{0,7}$/i.test(ending);
  return isName && word.length < 1000 ? path.slice(-2).join('/') : undefined;
}

/** The files that a prompt names, each once. */
function namedFiles(prompt: string): string[] {
  const names = prompt.split(/\s/).flatMap((word) => fileName(word) ?? []);
  return [...new Set(names)].slice(0, maxNames);
}

/**
 * Outputs of the session whose text holds the name of a file that the prompt names, best first; none where the store has no search.
 * Makes a search and reads up to twenty outputs for each of at most three names.
 */
export async function holdingOutputs(
  store: ContextStore,
  { sessionId, prompt }: { readonly sessionId: string; readonly prompt: string },
): Promise<ContextPointer[]> {
  const found: ContextPointer[] = [];
  for (const name of namedFiles(prompt)) {
    try {
      const { hits } = await store.outputs.search({ text: `"${name}"`, sessionId, limit: maxHits });
      found.push(...hits.flatMap(({ pointer, match }) => (match === 'all' ? [pointer] : [])));
    } catch (error) {
      if (isCtxError(error, 'CTX_STORE_UNSUPPORTED')) return [];
      throw error;
    }
  }
  return found;
}
