import { randomUUID } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const pollMs = 100;
const heartbeatMs = 2_000;
/** On another machine (a shared folder) no process id can be asked: silence for this long means dead. */
const silentMs = 30_000;

/**
 * Does `work` while this process holds the lock file: waits for a living owner (`onWait` is called once, with its process id; `onPoll` may
 * throw to give up) and takes over from a dead one. The lock is gone afterwards, whatever `work` does.
 */
export async function withLock({ file, onWait, onPoll }, work) {
  mkdirSync(path.dirname(file), { recursive: true });
  let hasWaited = false;
  while (!create(file)) {
    const owner = read(file);
    if (owner === undefined) continue;
    if (isDead(owner, file)) {
      takeAway(file, owner);
      continue;
    }
    if (!hasWaited) onWait(owner.pid);
    hasWaited = true;
    onPoll();
    await sleep(pollMs);
  }
  const heartbeat = setInterval(() => touch(file), heartbeatMs);
  try {
    return await work();
  } finally {
    clearInterval(heartbeat);
    rmSync(file, { force: true });
  }
}

/** Exclusive: of two at the same moment one gets it. */
function create(file) {
  const { pid } = process;
  const owner = { pid, host: hostname(), bornAt: bornAt(pid), id: randomUUID() };
  try {
    writeFileSync(file, JSON.stringify(owner), { flag: 'wx' });
    return true;
  } catch (error) {
    if (error.code === 'EEXIST') return false;
    throw error;
  }
}

function read(file) {
  try {
    const owner = JSON.parse(readFileSync(file, 'utf8'));
    if (Number.isInteger(owner?.pid) && typeof owner.id === 'string') return owner;
  } catch (error) {
    if (error.code === 'ENOENT') return undefined;
    if (!(error instanceof SyntaxError)) throw error;
  }
  // Half a lock: the owner is about to finish it, or died; its age decides.
  return { pid: 0, host: '', id: 'torn' };
}

function isDead(owner, file) {
  if (owner.host !== hostname())
    return silenceMs(file) > (owner.id === 'torn' ? heartbeatMs : silentMs);
  try {
    process.kill(owner.pid, 0);
  } catch (error) {
    return error.code === 'ESRCH';
  }
  // The same number may be another process by now.
  return owner.bornAt !== undefined && bornAt(owner.pid) !== owner.bornAt;
}

/** Start of a process in clock ticks since boot, where the system tells it. */
function bornAt(pid) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
  } catch {
    return undefined;
  }
}

/** Of many who see one dead lock, one claims it; a claim is named after that lock, so a fresh one is never taken. */
function takeAway(file, owner) {
  const claim = `${file}.${owner.id}`;
  try {
    writeFileSync(claim, '', { flag: 'wx' });
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
    if (silenceMs(claim) > heartbeatMs) rmSync(claim, { force: true });
    return;
  }
  if (read(file)?.id === owner.id) rmSync(file, { force: true });
  rmSync(claim, { force: true });
}

function silenceMs(file) {
  try {
    return Date.now() - statSync(file).mtimeMs;
  } catch {
    return 0;
  }
}

function touch(file) {
  try {
    utimesSync(file, new Date(), new Date());
  } catch {
    // Someone removed node_modules: the work itself will say so.
  }
}
