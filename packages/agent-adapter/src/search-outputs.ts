import { type ContextStore, cutText } from '@ctx/core';
import { z } from 'zod';
import { pointerUri } from './pointer-uri.ts';

/** What a model may ask the search. */
export interface SearchOutputsArgs {
  readonly query: string;
  readonly limit?: number;
}

export const searchOutputsSchema: z.ZodType<SearchOutputsArgs> = z.strictObject({
  query: z.string().min(1).max(1000).describe('Words to look for'),
  limit: z.int().min(1).max(20).exactOptional().describe('Most results, 5 if left out'),
});

/** Characters of the preview shown with each hit. */
const previewCharacters = 200;

/** Searches stored outputs and lists pointers with previews. Cost: one full-text query. */
export async function searchOutputs(
  store: ContextStore,
  { query, limit = 5 }: SearchOutputsArgs,
  sessionId?: string,
): Promise<string> {
  const scope = sessionId === undefined ? {} : { sessionId };
  const hits = await store.outputs.search({ text: query, limit, ...scope });
  if (hits.length === 0) return 'No stored output holds these words.';
  const lines = hits.map(({ pointer }) => {
    const preview = cutText(pointer.preview.replaceAll('\n', ' '), {
      maxCharacters: previewCharacters,
    });
    return `${pointerUri(pointer.id)} ${pointer.toolDescription} (${String(pointer.tokens)} tokens, ${String(pointer.lines)} lines): ${preview}`;
  });
  return lines.join('\n');
}
