import type { Message } from '@ctx/core';
import { grownFrom, isSameMessage, keyOfMessage } from './compare-messages.ts';

/** A message that the window took in, as the host gave it. */
export interface FollowedMessage {
  /** What it says, in few signs; left out where the message itself is at hand. */
  readonly key?: string;
  /** The event that stands for it; unknown for what the host has from us. */
  readonly sequence?: number;
  /** The event to go back to so that the message is not there yet. */
  readonly before?: number;
  /** The message itself, where this process saw it. */
  readonly message?: Message;
}

/** What is known of a host's history. */
export interface KnownHistory {
  /** What the host gave the last time. */
  readonly given: readonly FollowedMessage[];
  /** What the window took in, in order: the same, but for a host that keeps what we return. */
  readonly taken: readonly FollowedMessage[];
  /** What we returned the last time. */
  readonly returned: readonly FollowedMessage[];
}

/** How a window follows a history. */
export interface FollowPlan {
  /** The event to go back to first, where the history is not a continuation. */
  readonly rewindTo?: number;
  /** How many messages of the history the window has already. */
  readonly known: number;
  /** How many blocks of the first new message the window has already: it grew since the last time. */
  readonly knownBlocks: number;
  /** Whether the history begins with what we returned the last time. */
  readonly isReturned: boolean;
}

/** A message on its way through the comparison: its key is made when something asks for it, once. */
export interface GivenMessage {
  readonly message: Message;
  key(): string;
}

/** Does nothing until a key is asked for. */
export function givenMessage(message: Message): GivenMessage {
  let key: string | undefined;
  return { message, key: () => (key ??= keyOfMessage(message)) };
}

function isSame(known: FollowedMessage, given: GivenMessage): boolean {
  if (known.message !== undefined) return isSameMessage(known.message, given.message);
  return known.key === given.key();
}

/** How many messages both begin with. */
function commonLength(known: readonly FollowedMessage[], given: readonly GivenMessage[]): number {
  let length = 0;
  for (const each of known) {
    const other = given[length];
    if (other === undefined || !isSame(each, other)) break;
    length += 1;
  }
  return length;
}

/** The newest place from `at` back that can be gone back to. */
function placeBefore(list: readonly FollowedMessage[], at: number): number {
  for (let place = at; place >= 0; place -= 1) {
    if (list[place]?.before !== undefined) return place;
  }
  return -1;
}

function continues(
  list: readonly FollowedMessage[],
  given: readonly GivenMessage[],
): number | undefined {
  const length = commonLength(list, given);
  return length === list.length ? length : undefined;
}

/** Whether what a host gives goes on from a list. */
export function goesOnFrom(
  list: readonly FollowedMessage[],
  given: readonly GivenMessage[],
): boolean {
  return list.length > 0 && continues(list, given) !== undefined;
}

function planRewind(
  list: readonly FollowedMessage[],
  common: number,
  given: readonly GivenMessage[],
): FollowPlan | undefined {
  const changed = list[common];
  const next = given[common]?.message;
  const isLast = common === list.length - 1;
  if (isLast && changed?.message !== undefined && next !== undefined) {
    const knownBlocks = grownFrom(changed.message, next);
    if (knownBlocks !== undefined) return { known: common, knownBlocks, isReturned: false };
  }
  const place = placeBefore(list, common);
  const rewindTo = list[place]?.before;
  if (rewindTo === undefined) return undefined;
  return { rewindTo, known: place, knownBlocks: 0, isReturned: false };
}

/**
 * Decides how a window follows what the host gives: it goes on from what was there (as the host gave it, or as we returned it),
 * or goes back to where the two part.
 * Pure. Goes through the messages, without the texts that both hold as the same string.
 */
export function planFollow(known: KnownHistory, given: readonly GivenMessage[]): FollowPlan {
  const { taken, returned } = known;
  const lists = [known.given, taken];
  for (const list of lists) {
    if (list.length === 0 && taken.length > 0) continue;
    const length = continues(list, given);
    if (length !== undefined) return { known: length, knownBlocks: 0, isReturned: false };
  }
  const length = returned.length > 0 ? continues(returned, given) : undefined;
  if (length !== undefined) return { known: length, knownBlocks: 0, isReturned: true };
  const plans = lists
    .map((list) => planRewind(list, commonLength(list, given), given))
    .filter((plan) => plan !== undefined);
  const [best] = plans.toSorted((a, b) => b.known - a.known);
  return best ?? { known: 0, knownBlocks: 0, isReturned: false };
}
