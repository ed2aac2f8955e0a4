/** A block of a request, as the provider's cache knows it. */
export interface CachedBlock {
  /** Equal for equal blocks. */
  readonly id: number;
  readonly tokens: number;
}

/** A request that was sent: its blocks, and when it, or one that it began, went out last. */
interface SentRequest {
  readonly ids: readonly number[];
  readonly time: number;
}

/** Most requests that parted from each other and are remembered: what came after a flush begins otherwise than what came before. */
const mostParted = 16;

function commonLength({ ids }: SentRequest, blocks: readonly CachedBlock[]): number {
  const parting = ids.findIndex((id, index) => id !== blocks[index]?.id);
  return parting < 0 ? ids.length : parting;
}

/**
 * Follows what a provider's cache holds of one conversation: returns a function that takes each request and says with how many of its
 * tokens requests began that went out within the lifetime. Holds eight bytes a block: of hundreds of conversations that rest as well.
 */
export function createCachedPrefixes(
  lifetimeMs: number,
): (blocks: readonly CachedBlock[], now: number) => number {
  let sent: readonly SentRequest[] = [];
  return (blocks, now) => {
    let known = 0;
    // From the newest on: that one says when what it has in common with the others was used last.
    for (const request of sent) {
      const common = commonLength(request, blocks);
      if (common <= known) continue;
      if (now - request.time > lifetimeMs) break;
      known = common;
    }
    const others = sent.filter((request) => commonLength(request, blocks) < request.ids.length);
    sent = [{ ids: blocks.map(({ id }) => id), time: now }, ...others].slice(0, mostParted);
    return blocks.slice(0, known).reduce((sum, { tokens }) => sum + tokens, 0);
  };
}
