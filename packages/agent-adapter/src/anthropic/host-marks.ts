import { isList, isRecord } from './plain-values.ts';

/** The member that marks a place up to which the provider caches. */
export const cacheMark = 'cache_control';

/** How long Anthropic keeps what a mark writes. */
export type CacheLifetime = '5m' | '1h';

/** A place with a mark: an entry of the tools or of the system prompt, or a block of a message. */
export interface CacheMark {
  readonly at: 'tools' | 'system' | 'message';
  /** Place of the message in the request; 0 for the others. */
  readonly message: number;
  /** Place in the list. */
  readonly block: number;
  readonly lifetime: CacheLifetime;
}

/** Lifetime of the mark on a block, or on a part of the result that it is. */
function lifetimeOn(block: unknown): CacheLifetime | undefined {
  if (!isRecord(block)) return undefined;
  const own = block[cacheMark];
  if (isRecord(own)) return own['ttl'] === '1h' ? '1h' : '5m';
  const parts = isList(block['content']) ? block['content'] : [];
  return parts.map(lifetimeOn).findLast((lifetime) => lifetime !== undefined);
}

function marksOn(list: unknown, at: CacheMark['at'], message = 0): CacheMark[] {
  if (!isList(list)) return [];
  return list.flatMap((entry, block) => {
    const lifetime = lifetimeOn(entry);
    return lifetime === undefined ? [] : [{ at, message, block, lifetime }];
  });
}

/** A request with the marks that a host placed in it. */
export interface MarkedRequest {
  readonly tools: unknown;
  readonly system: unknown;
  /** Contents of messages as the host holds them, by their places in the request. Those without marks need not be there. */
  readonly contents: ReadonlyMap<number, unknown>;
}

/** The marks of a host, in the order of the request. Pure. Costs a look at each block. */
export function hostMarks({ tools, system, contents }: MarkedRequest): CacheMark[] {
  return [
    ...marksOn(tools, 'tools'),
    ...marksOn(system, 'system'),
    ...[...contents].flatMap(([message, content]) => marksOn(content, 'message', message)),
  ];
}

const order: Readonly<Record<CacheMark['at'], number>> = { tools: 0, system: 1, message: 2 };

function compare(a: CacheMark, b: CacheMark): number {
  return order[a.at] - order[b.at] || a.message - b.message || a.block - b.block;
}

/** A mark of ours among those of the host: what lives an hour has to stand before what lives less. */
function amongHosts(mark: CacheMark, hosts: readonly CacheMark[]): CacheMark {
  const isBeforeHour = hosts.some((each) => each.lifetime === '1h' && compare(mark, each) < 0);
  if (isBeforeHour) return { ...mark, lifetime: '1h' };
  const isBehindShort = hosts.some((each) => each.lifetime === '5m' && compare(each, mark) < 0);
  return isBehindShort ? { ...mark, lifetime: '5m' } : mark;
}

/** The marks that are kept of too many: what stands in front, and the newest of the messages. */
function mostWorth(hosts: readonly CacheMark[], most: number): CacheMark[] {
  const heads = hosts.filter(({ at }) => at !== 'message').slice(-most + 1);
  const rest = hosts.filter(({ at }) => at === 'message');
  const room = most - heads.length;
  return [...heads, ...rest.slice(Math.max(0, rest.length - room))];
}

/**
 * Adds planned marks to those of the host: the host's stay where they are, and the newest planned take the rest of the room.
 * Pure; at most `most`, in the order of the request, none after one that lives less.
 */
export function mergeMarks(
  hosts: readonly CacheMark[],
  planned: readonly CacheMark[],
  most: number,
): CacheMark[] {
  const kept = mostWorth(hosts, most);
  const isNew = (mark: CacheMark): boolean => kept.every((each) => compare(each, mark) !== 0);
  const room = most - kept.length;
  const added = room === 0 ? [] : planned.filter(isNew).toSorted(compare).slice(-room);
  return [...kept, ...added.map((mark) => amongHosts(mark, kept))].toSorted(compare);
}
