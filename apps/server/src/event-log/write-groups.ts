import type { CtxErrorCode } from '@ctx/core';
import { isCtxError } from '@ctx/core';
import {
  keyText,
  type takeTurns,
  type WriteOperation,
  type WriteOptions,
} from '@ctx/store/backend';
import type { LiveEventDraft } from './live-event.ts';
import { mayLookInto } from './sees-write.ts';

/** What a write is to do, and what of it is to be seen, by tenant. */
export interface SeenWrite {
  readonly operations: readonly WriteOperation[];
  readonly options: WriteOptions | undefined;
  readonly drafts: ReadonlyMap<string, readonly LiveEventDraft[]>;
}

/** Limits of one group of writes: a caller in the queue waits for the whole group before it. */
const mostOperations = 500;
const mostCharacters = 2_000_000;

/** So many writes that wait are enough to go to a store that writes on the side. Source: measured, saves of 32 clients. */
const enoughMembers = 8;

/** Failures that may be those of one write of several: each is then tried alone. */
const ownFailures: ReadonlySet<CtxErrorCode> = new Set<CtxErrorCode>([
  'CTX_STORE_CONFLICT',
  'CTX_STORE_FULL',
  'CTX_STORE_UNSUPPORTED',
  'CTX_INVALID_INPUT',
  'CTX_TOO_LARGE',
]);

interface Member extends SeenWrite {
  /** Keys that its operations name. */
  readonly keys: readonly string[];
  readonly characters: number;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/** Writes that will be one. */
interface Group {
  readonly members: Member[];
  readonly options: WriteOptions | undefined;
  /** Keys that its operations name. */
  readonly keys: Set<string>;
  /** Ends its gathering. */
  readonly sendNow: () => void;
  operations: number;
  characters: number;
}

/** A group, and what resolves when it has gathered. */
function emptyGroup(
  options: WriteOptions | undefined,
  gather: () => Promise<void>,
): { readonly group: Group; readonly gathered: Promise<void> } {
  let sendNow = (): void => undefined;
  const gathered = new Promise<void>((resolve) => {
    sendNow = resolve;
    void gather().then(resolve);
  });
  const keys = new Set<string>();
  return { group: { members: [], options, keys, sendNow, operations: 0, characters: 0 }, gathered };
}

function keyOf({ collection, key }: WriteOperation): string {
  return keyText([collection, ...key]);
}

function charactersOf(operations: readonly WriteOperation[]): number {
  return operations.reduce((sum, one) => sum + (one.type === 'put' ? one.body.length : 0), 0);
}

function hasRanges(options: WriteOptions | undefined): boolean {
  return options?.emptyRanges !== undefined || options?.patchRanges !== undefined;
}

/** Two that name one key would see each other, and the one that read it before the other wrote it would fail both. */
function mayJoin(
  group: Group,
  { operations, options, keys, characters }: Omit<Member, 'resolve' | 'reject'>,
): boolean {
  return (
    !hasRanges(options) &&
    !hasRanges(group.options) &&
    options?.durability === group.options?.durability &&
    group.operations + operations.length <= mostOperations &&
    group.characters + characters <= mostCharacters &&
    !keys.some((key) => group.keys.has(key))
  );
}

function join(group: Group, member: Member): void {
  group.members.push(member);
  for (const key of member.keys) group.keys.add(key);
  group.operations += member.operations.length;
  group.characters += member.characters;
}

/** Several writes as one. */
function joined(members: readonly SeenWrite[], options: WriteOptions | undefined): SeenWrite {
  const drafts = new Map<string, LiveEventDraft[]>();
  for (const member of members) {
    for (const [tenant, list] of member.drafts) {
      const known = drafts.get(tenant);
      if (known === undefined) drafts.set(tenant, [...list]);
      else known.push(...list);
    }
  }
  return { operations: members.flatMap(({ operations }) => operations), options, drafts };
}

/** Writes all of them at once; where that fails because of one of them, one after the other. */
async function writeMembers(
  { members, options }: Group,
  write: (one: SeenWrite) => Promise<void>,
): Promise<void> {
  const [only] = members;
  try {
    await write(members.length === 1 && only !== undefined ? only : joined(members, options));
    for (const { resolve } of members) resolve();
  } catch (error) {
    const isOwn = members.length > 1 && isCtxError(error) && ownFailures.has(error.code);
    for (const member of members) {
      if (isOwn) await write(member).then(member.resolve, member.reject);
      else member.reject(error);
    }
  }
}

/** A group that is being written. */
interface Sent {
  readonly group: Group;
  readonly done: Promise<void>;
}

/** Whether two groups may be written at once: neither sees the other. */
function mayPass(one: Group, other: Group): boolean {
  const isSeen = (looking: Group, written: Group): boolean =>
    looking.members.some((member) => written.members.some((each) => mayLookInto(member, each)));
  if (isSeen(one, other) || isSeen(other, one)) return false;
  return ![...one.keys].some((key) => other.keys.has(key));
}

/** How writes of a tenant come together. */
export interface GroupOptions {
  readonly inTurn: ReturnType<typeof takeTurns>;
  /** Resolves when those of this moment have been asked for. */
  readonly gather: () => Promise<void>;
  readonly write: (one: SeenWrite) => Promise<void>;
  /** Most groups of a tenant that the store has at once, so that it has work while this thread gathers and answers. Default 1. */
  readonly mostAtOnce?: number;
}

/** Writes that come together. */
export interface WriteGroups {
  write(one: SeenWrite): Promise<void>;
  /** Resolves when nothing waits any more. */
  settled(): Promise<void>;
}

/** How groups are handed to the store. */
interface GroupSender {
  /** Resolves when the next group of the tenant may be sent. */
  readonly send: (tenant: string, group: Group) => Promise<void>;
  /** Writes what several tenants see, after all that is on its way. */
  readonly sendAlone: (one: SeenWrite, tenants: readonly string[]) => Promise<void>;
}

/** Sends none that names what is being written. `run` is given what goes on by itself. */
function groupSender({
  write,
  mostAtOnce,
  run,
}: Required<Pick<GroupOptions, 'write' | 'mostAtOnce'>> & {
  readonly run: (work: Promise<unknown>) => void;
}): GroupSender {
  const sent = new Map<string, Set<Sent>>();
  return {
    send: async (tenant, group) => {
      const others = sent.get(tenant) ?? new Set<Sent>();
      for (const other of others) if (!mayPass(group, other.group)) await other.done;
      const own = { group, done: writeMembers(group, write) };
      sent.set(tenant, others.add(own));
      run(
        own.done.then(() => {
          others.delete(own);
          if (others.size === 0) sent.delete(tenant);
        }),
      );
      while (others.size >= mostAtOnce) await [...others][0]?.done;
    },
    sendAlone: async (one, tenants) => {
      for (const tenant of tenants) for (const { done } of sent.get(tenant) ?? []) await done;
      await write(one);
    },
  };
}

/**
 * Lets the writes of a tenant that wait for their turn be one: a store pays most of its price for a transaction, not for a record.
 * Each write is done whole or not at all, and fails for its own reasons only; those of a tenant that name a common
 * key, or look into ranges of which another may change something, keep their order.
 */
export function writeGroups({ inTurn, gather, write, mostAtOnce = 1 }: GroupOptions): WriteGroups {
  const open = new Map<string, Group>();
  const running = new Set<Promise<unknown>>();
  const run = (work: Promise<unknown>): void => {
    running.add(work);
    void work.finally(() => running.delete(work));
  };
  const { send, sendAlone } = groupSender({ write, mostAtOnce, run });
  const begin = (tenant: string, options: WriteOptions | undefined): Group => {
    // One that waits for its turn gathers meanwhile.
    const { group, gathered } = emptyGroup(options, gather);
    open.set(tenant, group);
    const turn = inTurn([tenant], async () => {
      await gathered;
      if (open.get(tenant) === group) open.delete(tenant);
      await send(tenant, group);
    });
    run(turn);
    return group;
  };
  return {
    write: (one) => {
      const tenants = [...one.drafts.keys()];
      const [tenant, ...others] = tenants;
      if (tenant === undefined || others.length > 0) {
        return inTurn(tenants, () => sendAlone(one, tenants));
      }
      const keys = one.operations.map(keyOf);
      const sized = { keys, characters: charactersOf(one.operations), ...one };
      const waiting = open.get(tenant);
      const isWelcome = waiting !== undefined && mayJoin(waiting, sized);
      const group = isWelcome ? waiting : begin(tenant, one.options);
      return new Promise((resolve, reject) => {
        join(group, { resolve, reject, ...sized });
        if (mostAtOnce > 1 && group.members.length >= enoughMembers) group.sendNow();
      });
    },
    settled: async () => {
      while (running.size > 0) await Promise.all(running);
    },
  };
}
