import { createHash } from 'node:crypto';
import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import { threadId } from 'node:worker_threads';
import { systemCode } from '../files/system-errors.ts';

/** Who holds a lock: a thread of a process, told from later processes of the same number by its start time. */
export interface LockOwner {
  readonly pid: number;
  readonly thread: number;
  /** Start of the process in the kernel's ticks since boot; 0 where the system does not tell. */
  readonly start: string;
  /** Stands for this boot of this machine and its process numbers: owners elsewhere cannot be looked up. */
  readonly place: string;
}

function textOf(read: () => string): string {
  try {
    return read();
  } catch {
    return '';
  }
}

/** Names this boot of the machine; '' where the system does not tell. */
export function bootId(): string {
  return textOf(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim());
}

/** State letter and start time of a process; undefined where there is none or the system does not tell. */
function processStat(pid: number): { state: string; start: string } | undefined {
  const stat = textOf(() => readFileSync(`/proc/${pid}/stat`, 'latin1'));
  // The command's name stands in brackets and may itself hold brackets and spaces.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [state, start] = [fields[0], fields[19]];
  return state === undefined || start === undefined ? undefined : { state, start };
}

function placeNow(): string {
  const numbers = textOf(() => readlinkSync('/proc/self/ns/pid'));
  const place = `${bootId()} ${numbers === '' ? hostname() : numbers}`;
  return createHash('sha256').update(place).digest('hex').slice(0, 12);
}

let self: LockOwner | undefined;

/** The thread that runs this. */
export function thisOwner(): LockOwner {
  self ??= {
    pid: process.pid,
    thread: threadId,
    start: processStat(process.pid)?.start ?? '0',
    place: placeNow(),
  };
  return self;
}

/** The owner as a part of a file name. */
export function ownerText({ pid, thread, start, place }: LockOwner): string {
  return [pid, thread, start, place].join('.');
}

/** Reads back `ownerText`. */
export function ownerOf(text: string): LockOwner | undefined {
  const match = /^(\d{1,10})\.(\d{1,10})\.(\d{1,20})\.([0-9a-f]{12})$/.exec(text);
  const [, pid, thread, start, place] = match ?? [];
  if (pid === undefined || thread === undefined || start === undefined || place === undefined) {
    return undefined;
  }
  return { pid: Number(pid), thread: Number(thread), start, place };
}

/** Whether the owner's process still runs; `elsewhere` where only its own machine could tell. */
export function ownerState(owner: LockOwner): 'alive' | 'dead' | 'elsewhere' {
  if (owner.place !== thisOwner().place) return 'elsewhere';
  const stat = processStat(owner.pid);
  if (stat !== undefined) {
    const hasEnded = stat.state === 'Z' || stat.state === 'X';
    return stat.start === owner.start && !hasEnded ? 'alive' : 'dead';
  }
  if (processStat(process.pid) !== undefined) return 'dead';
  try {
    process.kill(owner.pid, 0);
    return 'alive';
  } catch (error) {
    return systemCode(error) === 'EPERM' ? 'alive' : 'dead';
  }
}
