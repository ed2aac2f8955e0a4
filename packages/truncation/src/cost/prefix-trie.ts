/** The smallest piece of a request whose bytes are compared as a whole. */
export interface Segment {
  /** SHA-256 (hex) of the exact bytes. */
  readonly id: string;
  readonly tokens: number;
}

interface Node {
  /** When a request last held the path down to here, ms. */
  usedAt: number;
  readonly children: Map<string, Node>;
}

/** What a walk down the known prefixes finds. */
export interface PrefixMatch {
  /** Tokens of the longest known prefix that is still alive. */
  readonly aliveTokens: number;
  /** Tokens of the longest prefix ever sent, alive or not. */
  readonly sentTokens: number;
  /** Segments in `sentTokens`. */
  readonly sentSegments: number;
}

/** The prefixes that one lane (model, provider, account) has sent. */
export interface PrefixTrie {
  /** Matches the segments against what was sent before, then records them as sent at `now` (ms). */
  matchAndInsert(segments: readonly Segment[], now: number, lifetimeMs: number): PrefixMatch;
}

/** Makes an empty trie. Takes one step for each segment and call, and keeps a node for each segment of each different prefix. */
export function createPrefixTrie(): PrefixTrie {
  const roots = new Map<string, Node>();
  return {
    matchAndInsert(segments, now, lifetimeMs) {
      let level = roots;
      let alive = true;
      let known = true;
      const match = { aliveTokens: 0, sentTokens: 0, sentSegments: 0 };
      for (const { id, tokens } of segments) {
        const found = level.get(id);
        known &&= found !== undefined;
        alive &&= found !== undefined && now - found.usedAt <= lifetimeMs;
        if (known) {
          match.sentTokens += tokens;
          match.sentSegments += 1;
        }
        if (alive) match.aliveTokens += tokens;
        const node = found ?? { usedAt: now, children: new Map<string, Node>() };
        node.usedAt = now;
        if (found === undefined) level.set(id, node);
        level = node.children;
      }
      return match;
    },
  };
}
