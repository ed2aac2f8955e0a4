import {
  closeSync,
  existsSync,
  mkdtempSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
} from 'node:fs';
import { join } from 'node:path';
import { CtxError } from '@ctx/core';
import { moveFile, removeFile } from '../files/move-file.ts';
import { isMissing, storeError, succeeds, systemCode } from '../files/system-errors.ts';
import { type LockOwner, ownerOf, ownerState, ownerText, thisOwner } from './lock-owner.ts';

/** The folder of the lock, below the store's. */
export const lockFolderName: string = '.lock';

/** An owner that cannot be looked up counts as gone when it gave no sign for so long, ms. Its late rename is fenced off. */
const silenceMs = 10_000;
/** How often a long write gives that sign, ms. */
const signMs = 2_000;
/** A look at the lock is as good as a new one for so long, ms: what comes right after it could not have been fenced off either. */
const freshMs = 1;
/** The longest pause between two looks at a lock that is held, ms. */
const longestPauseMs = 6;

/**
 * The one file in the lock's folder. Its name says everything, so taking and releasing is one rename and needs no room on
 * the disk. A name is used once: `counter` only rises.
 */
export interface LockToken {
  readonly name: string;
  readonly counter: number;
  /** Which journal is the index, and how many of its bytes are committed. */
  readonly generation: number;
  readonly length: number;
  /** Undefined: free. */
  readonly owner: LockOwner | undefined;
}

/** What a release commits. */
export interface CommittedState {
  readonly generation: number;
  readonly length: number;
}

/** Names what is committed. */
export function markOf({ generation, length }: CommittedState): string {
  return `${generation}-${length}`;
}

/** The lock while it is held. */
export interface HeldLock extends CommittedState {
  /** The fencing counter: higher than that of every earlier holder. */
  readonly counter: number;
  /** Whether the holder before died while holding it. */
  readonly isTakenOver: boolean;
  /** Throws `CTX_STORE_BUSY` if another process has taken the lock over. Called before every rename. */
  check(): void;
  release(state: CommittedState): void;
}

/** A lock between threads and processes on one folder. */
export interface StoreLock {
  /** What is committed now. Takes no lock. */
  read(): LockToken;
  acquire(): Promise<HeldLock>;
}

/** Locks that this thread holds right now; one that bears our name and is not here was left by a failed release. */
const heldHere = new Set<string>();

const tokenPattern = /^(\d{1,15})-(\d{1,15})-(\d{1,15})-(free|held-(.{1,80}))$/;

function tokenOf(name: string): LockToken | undefined {
  const [, counter, generation, length, , owner] = tokenPattern.exec(name) ?? [];
  if (counter === undefined) return undefined;
  return {
    name,
    counter: Number(counter),
    generation: Number(generation),
    length: Number(length),
    owner: owner === undefined ? undefined : ownerOf(owner),
  };
}

function freeName(counter: number, { generation, length }: CommittedState): string {
  return `${counter}-${generation}-${length}-free`;
}

/** Makes the folder with its token inside, at once: a rename onto a folder that holds a token fails. */
function createLockFolder(root: string): void {
  const draft = mkdtempSync(join(root, `${lockFolderName}-`));
  try {
    closeSync(openSync(join(draft, freeName(0, { generation: 0, length: 0 })), 'wx', 0o600));
    renameSync(draft, join(root, lockFolderName));
  } catch (error) {
    rmSync(draft, { recursive: true, force: true });
    const wasThere = ['ENOTEMPTY', 'EEXIST', 'ENOENT'].includes(systemCode(error));
    // Windows answers EPERM where the folder is there.
    if (!wasThere && !holdsLock(root)) throw error;
  }
}

function latestToken(folder: string): LockToken | undefined {
  let latest: LockToken | undefined;
  try {
    for (const name of readdirSync(folder)) {
      const token = tokenOf(name);
      if (token !== undefined && token.counter >= (latest?.counter ?? 0)) latest = token;
    }
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
  return latest;
}

/** What is committed in a folder that this process does not write; nothing where it has no lock. */
export function committedToken(root: string): LockToken {
  const none = { name: '', counter: 0, generation: 0, length: 0, owner: undefined };
  return latestToken(join(root, lockFolderName)) ?? none;
}

/** Whether the folder has a lock of ours, held or free. */
export function holdsLock(root: string): boolean {
  return latestToken(join(root, lockFolderName)) !== undefined;
}

function isAbandoned(folder: string, token: LockToken, now: number): boolean {
  const { owner } = token;
  if (owner === undefined) return false;
  const state = ownerState(owner);
  if (state === 'dead') return true;
  if (state === 'alive') {
    return ownerText(owner) === ownerText(thisOwner()) && !heldHere.has(join(folder, token.name));
  }
  const stats = statSync(join(folder, token.name), { throwIfNoEntry: false });
  return stats !== undefined && now - Math.max(stats.ctimeMs, stats.mtimeMs) > silenceMs;
}

/** A copied or restored folder may hold more than one token: those that came second go. */
export function removeOlderTokens(root: string, counter: number): void {
  const folder = join(root, lockFolderName);
  for (const name of readdirSync(folder)) {
    if ((tokenOf(name)?.counter ?? -1) >= counter) continue;
    succeeds(() => {
      removeFile(join(folder, name));
    });
  }
}

/** A second try, since a lock that stays held stops everybody. */
function releaseToken(path: string, free: string): void {
  try {
    moveFile(path, free);
  } catch (error) {
    if (isMissing(error)) throw lostLock();
    moveFile(path, free);
  }
}

function lostLock(): CtxError {
  return new CtxError('CTX_STORE_BUSY', 'another process has taken the lock of the store over');
}

function holdLock({ folder, freed }: LockPlace, token: LockToken, path: string): HeldLock {
  const counter = token.counter + 1;
  let signAt = performance.now() + signMs;
  let lookedAt = Number.NEGATIVE_INFINITY;
  heldHere.add(path);
  return {
    counter,
    generation: token.generation,
    length: token.length,
    isTakenOver: token.owner !== undefined,
    check() {
      const passed = performance.now();
      if (passed - lookedAt < freshMs) return;
      if (statSync(path, { throwIfNoEntry: false }) === undefined) {
        throw lostLock();
      }
      lookedAt = passed;
      if (passed < signAt) return;
      signAt = passed + signMs;
      const now = new Date();
      succeeds(() => {
        utimesSync(path, now, now);
      });
    },
    release(state) {
      heldHere.delete(path);
      const { generation, length } = state;
      const name = freeName(counter, state);
      releaseToken(path, join(folder, name));
      freed({ name, counter, generation, length, owner: undefined });
    },
  };
}

/** Where a lock is, and who is told of its release. */
interface LockPlace {
  readonly folder: string;
  readonly freed: (token: LockToken) => void;
}

/** Tries once: returns `undefined` if the lock is held or another process was quicker. */
function tryToTake(place: LockPlace, token: LockToken): HeldLock | undefined {
  const { folder } = place;
  if (token.owner !== undefined && !isAbandoned(folder, token, Date.now())) return undefined;
  const { counter, generation, length } = token;
  const name = `${counter + 1}-${generation}-${length}-held-${ownerText(thisOwner())}`;
  const path = join(folder, name);
  try {
    moveFile(join(folder, token.name), path);
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
  return holdLock(place, token, path);
}

/**
 * Makes the lock of the store in `root`.
 * At most one holder whose `check` passes. A dead owner is taken over at once, one that lives is waited for
 * however long it has been silent.
 * @throws `CTX_STORE_BUSY` when the lock could not be had within `timeoutMs`.
 */
export function createStoreLock(root: string, timeoutMs: number): StoreLock {
  const folder = join(root, lockFolderName);
  let known: LockToken | undefined;
  const read = (): LockToken => {
    // A name is used once: as long as it exists, the lock was neither taken nor released since.
    if (known !== undefined && existsSync(`${folder}/${known.name}`)) return known;
    for (let attempt = 0; attempt < 20; attempt++) {
      known = latestToken(folder);
      if (known !== undefined) return known;
      createLockFolder(root);
    }
    throw new CtxError('CTX_STORE_CORRUPT', `${lockFolderName} holds no lock; remove that folder`);
  };
  const place: LockPlace = {
    folder,
    freed: (token) => {
      known = token;
    },
  };
  // What this thread has freed is most often free still, which the try tells by itself.
  const tryAsKnown = (): HeldLock | undefined => {
    const free = known?.owner === undefined ? known : undefined;
    return (free && tryToTake(place, free)) ?? tryToTake(place, read());
  };
  const pause = (attempt: number): Promise<void> =>
    new Promise((resolve) => {
      setTimeout(resolve, 1 + Math.random() * Math.min(attempt, longestPauseMs));
    });

  return {
    read,
    async acquire() {
      const deadline = performance.now() + timeoutMs;
      for (let attempt = 0; ; attempt++) {
        let held: HeldLock | undefined;
        try {
          held = tryAsKnown();
        } catch (error) {
          throw storeError(error, 'locking the store');
        }
        if (held !== undefined) return held;
        if (performance.now() > deadline) {
          const text = `the lock of the store was held for ${timeoutMs} ms`;
          throw new CtxError('CTX_STORE_BUSY', text);
        }
        await pause(attempt);
      }
    },
  };
}
