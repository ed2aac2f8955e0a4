import type { AgentFact, ContextStore } from '@ctx/store';

/** Facts of one page. */
const pageSize = 1000;

/** The facts of an owner, last changed first, at most `most`. */
export async function* factsOfOwner(
  { facts }: ContextStore,
  owner: string,
  most: number,
): AsyncGenerator<AgentFact, void, undefined> {
  let after: string | undefined;
  for (let read = 0; read < most; read += pageSize) {
    const place = after === undefined ? {} : { after };
    const page = await facts.list({
      agentId: owner,
      limit: Math.min(pageSize, most - read),
      ...place,
    });
    yield* page.entries;
    after = page.next;
    if (after === undefined) return;
  }
}
