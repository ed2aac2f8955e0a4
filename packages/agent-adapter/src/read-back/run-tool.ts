import { errorAdvice, isCtxError } from '@ctx/core';
import type { ContextStore } from '@ctx/store';
import * as z from 'zod';
import { type ReadBackAnswer, withoutMedia } from './read-back-answer.ts';
import { readOutputSchema, searchOutputsSchema } from './read-back-schemas.ts';
import { readOutput } from './read-output.ts';
import { searchOutputsText } from './search-outputs.ts';

/** Says what went wrong in words that help a model to do better. Throws what is neither wrong arguments nor a `CtxError`. */
export function explainFailure(error: unknown): string {
  if (error instanceof z.ZodError) return `Wrong arguments. ${z.prettifyError(error)}`;
  if (isCtxError(error)) return `${error.message}. ${errorAdvice[error.code]}`;
  throw error;
}

/** Checks what a model sent, and does it. Rejects only for a fault of the program. */
export async function runTool<Args>(
  schema: z.ZodType<Args>,
  args: unknown,
  run: (args: Args) => Promise<string>,
): Promise<string> {
  try {
    return await run(schema.parse(args));
  } catch (error) {
    return explainFailure(error);
  }
}

/** `ctx_read_output` */
export async function runRead(
  store: ContextStore,
  args: unknown,
  sessionId?: string,
): Promise<ReadBackAnswer> {
  try {
    return await readOutput(store, readOutputSchema.parse(args), sessionId);
  } catch (error) {
    return { text: explainFailure(error), media: [] };
  }
}

/** `ctx_read_output` for a host that takes nothing but text. */
export async function runReadText(
  store: ContextStore,
  args: unknown,
  sessionId?: string,
): Promise<string> {
  const { text, media } = await runRead(store, args, sessionId);
  return withoutMedia(text, media);
}

/** `ctx_search_outputs` */
export function runSearch(store: ContextStore, args: unknown, sessionId?: string): Promise<string> {
  return runTool(searchOutputsSchema, args, (checked) =>
    searchOutputsText(store, checked, sessionId),
  );
}
