import { cutText } from '@ctx/core';
import { type ContextStore, matchHeading, type OutputHit } from '@ctx/store';
import { pointerUri } from '@ctx/truncation';

/** What a model may ask the search. */
export interface SearchOutputsArgs {
  readonly query: string;
  readonly limit?: number;
}

/** Characters of the preview of a hit of which no line can be shown. */
const previewCharacters = 200;

/** The line that matches best with its number, which a ranged read takes; else how the output begins. */
export function excerptOf({ pointer, line }: OutputHit): string {
  if (line === undefined) {
    return cutText(pointer.preview.replaceAll('\n', ' '), { maxCharacters: previewCharacters });
  }
  const where = line.of === 'result' ? `line ${String(line.line)}` : 'arguments';
  return `${where}: ${line.text}`;
}

/** The outputs that a search finds, best first. Costs one full-text query, and a read of each hit. */
export async function findOutputs(
  store: ContextStore,
  { query, limit = 5 }: SearchOutputsArgs,
  sessionId?: string,
): ReturnType<ContextStore['outputs']['search']> {
  const scope = sessionId === undefined ? {} : { sessionId };
  return store.outputs.search({ text: query, limit, lines: true, ...scope });
}

function hitLine(hit: OutputHit): string {
  const { id, toolDescription, tokens, lines } = hit.pointer;
  const size = `${String(tokens)} tokens, ${String(lines)} lines`;
  return `${pointerUri(id)} ${toolDescription} (${size}): ${excerptOf(hit)}`;
}

/** What a search found, a line each: pointers with the lines that match; a line of its own before those that hold less than was asked for. */
export function hitLines(
  { hits, partlySearched }: Awaited<ReturnType<ContextStore['outputs']['search']>>,
  unsearched: number,
): string {
  const lines = hits.flatMap((hit, at) => [matchHeading(hits, at) ?? [], hitLine(hit)].flat());
  if (hits.length === 0) lines.push('No stored output holds these words.');
  if (unsearched > 0) {
    lines.push(
      `${String(unsearched)} older records cannot be searched whole yet: search again later.`,
    );
  }
  if (partlySearched > 0) {
    const count = `${String(partlySearched)} stored ${partlySearched === 1 ? 'output is' : 'outputs are'}`;
    lines.push(`${count} too long to be searched to the end: read there with a pattern.`);
  }
  return lines.join('\n');
}

/** Searches stored outputs and lists pointers with the lines that match. Costs as much as `findOutputs`. */
export async function searchOutputsText(
  store: ContextStore,
  args: SearchOutputsArgs,
  sessionId?: string,
): Promise<string> {
  return hitLines(await findOutputs(store, args, sessionId), store.unsearched());
}
