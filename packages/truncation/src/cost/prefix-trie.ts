/** The smallest piece of a request whose bytes are compared as a whole. */
export interface Segment {
  /** SHA-256 (hex) of the exact bytes. */
  readonly id: string;
  readonly tokens: number;
}

interface Node {
  readonly id: string;
  /** When a request last held the path down to here, ms. */
  usedAt: number;
  /** What came next first: mostly nothing else ever does, and a map for one would be most of the memory. */
  next: Node | undefined;
  /** What else came next. */
  others: Map<string, Node> | undefined;
}

function newNode(id: string, usedAt: number): Node {
  return { id, usedAt, next: undefined, others: undefined };
}

function childOf({ next, others }: Node, id: string): Node | undefined {
  return next?.id === id ? next : others?.get(id);
}

function addChild(node: Node, child: Node): void {
  if (node.next === undefined) node.next = child;
  else (node.others ??= new Map<string, Node>()).set(child.id, child);
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
  const root = newNode('', 0);
  return {
    matchAndInsert(segments, now, lifetimeMs) {
      let at = root;
      let alive = true;
      let known = true;
      const match = { aliveTokens: 0, sentTokens: 0, sentSegments: 0 };
      for (const { id, tokens } of segments) {
        const found = childOf(at, id);
        known &&= found !== undefined;
        alive &&= found !== undefined && now - found.usedAt <= lifetimeMs;
        if (known) {
          match.sentTokens += tokens;
          match.sentSegments += 1;
        }
        if (alive) match.aliveTokens += tokens;
        const node = found ?? newNode(id, now);
        node.usedAt = now;
        if (found === undefined) addChild(at, node);
        at = node;
      }
      return match;
    },
  };
}
