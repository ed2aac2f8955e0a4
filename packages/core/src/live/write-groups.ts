import { isCtxError } from '../errors.ts';
import type { CtxErrorCode } from '../errors.ts';
import { keyText } from '../store/index-order.ts';
import type { WriteOperation, WriteOptions } from '../store/store-backend.ts';
import type { TurnTaker } from '../store/take-turns.ts';
import type { LiveEventDraft } from './live-event.ts';

/** What a write is to do, and what of it is to be seen, by tenant. */
export interface SeenWrite {
  readonly operations: readonly WriteOperation[];
  readonly options: WriteOptions | undefined;
  readonly drafts: ReadonlyMap<string, readonly LiveEventDraft[]>;
}

/** Most that is written together: whoever waits behind it waits for all of it. */
const mostOperations = 500;
const mostCharacters = 2_000_000;

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
  operations: number;
  characters: number;
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

/** How writes of a tenant come together. */
export interface GroupOptions {
  readonly inTurn: TurnTaker;
  /** Resolves when those of this moment have been asked for. */
  readonly gather: () => Promise<void>;
  readonly write: (one: SeenWrite) => Promise<void>;
}

/** Writes that come together. */
export interface WriteGroups {
  write(one: SeenWrite): Promise<void>;
  /** Resolves when nothing waits any more. */
  settled(): Promise<void>;
}

/**
 * Lets the writes of a tenant that wait for their turn be one: a store pays most of its price for a transaction, not for a record.
 * Contract: each write is done whole or not at all, and fails for its own reasons only; those of a tenant keep their order.
 */
export function writeGroups({ inTurn, gather, write }: GroupOptions): WriteGroups {
  const open = new Map<string, Group>();
  const running = new Set<Promise<unknown>>();
  const begin = (tenant: string, options: WriteOptions | undefined): Group => {
    const group: Group = { members: [], options, keys: new Set(), operations: 0, characters: 0 };
    open.set(tenant, group);
    const turn = inTurn([tenant], async () => {
      await gather();
      if (open.get(tenant) === group) open.delete(tenant);
      await writeMembers(group, write);
    });
    running.add(turn);
    void turn.finally(() => running.delete(turn));
    return group;
  };
  return {
    write: (one) => {
      const [tenant, ...others] = [...one.drafts.keys()];
      if (tenant === undefined || others.length > 0) {
        return inTurn([...one.drafts.keys()], () => write(one));
      }
      const keys = one.operations.map(keyOf);
      const sized = { keys, characters: charactersOf(one.operations), ...one };
      const waiting = open.get(tenant);
      const isWelcome = waiting !== undefined && mayJoin(waiting, sized);
      const group = isWelcome ? waiting : begin(tenant, one.options);
      return new Promise((resolve, reject) => {
        join(group, { resolve, reject, ...sized });
      });
    },
    settled: async () => {
      while (running.size > 0) await Promise.all(running);
    },
  };
}
