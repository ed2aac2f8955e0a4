import type { ContextPointer } from '@ctx/core';
import type { ContextStore } from '@ctx/store';

/** The pointers of a session, oldest first, read page by page. */
export async function* sessionPointers(
  { outputs }: ContextStore,
  sessionId: string,
): AsyncGenerator<ContextPointer> {
  let after: string | undefined;
  do {
    const place = after === undefined ? {} : { after };
    const page = await outputs.pointers({ sessionId, limit: 1000, ...place });
    yield* page.entries;
    after = page.next;
  } while (after !== undefined);
}
