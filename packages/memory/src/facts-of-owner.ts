import type { AgentFact, ContextStore } from '@ctx/store';

/** Facts of the first page and of a later one: many readers stop soon. */
const [firstPage, largestPage] = [125, 1000];

/** The facts of an owner, last changed first, at most `most`. */
export async function* factsOfOwner(
  { facts }: ContextStore,
  owner: string,
  most: number,
): AsyncGenerator<AgentFact, void, undefined> {
  let after: string | undefined;
  let size = firstPage;
  for (let read = 0; read < most; read += size, size = Math.min(2 * size, largestPage)) {
    const place = after === undefined ? {} : { after };
    const limit = Math.min(size, most - read);
    const page = await facts.list({ agentId: owner, limit, ...place });
    yield* page.entries;
    after = page.next;
    if (after === undefined) return;
  }
}
