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
  const me = { pid: process.pid, host: hostname(), bornAt: bornAt(process.pid), id: randomUUID() };
  let hasWaited = false;
  while (!isNew(file, JSON.stringify(me))) {
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
  const touch = () => unless(() => utimesSync(file, new Date(), new Date()));
  const heartbeat = setInterval(touch, heartbeatMs);
  try {
    return await work();
  } finally {
    clearInterval(heartbeat);
    rmSync(file, { force: true });
  }
}

/** Returns what `call` returns; `undefined` if it fails. */
function unless(call) {
  try {
    return call();
  } catch {
    return undefined;
  }
}

/** Writes a file that is not there. Of two at the same moment one gets it. */
function isNew(file, text) {
  try {
    writeFileSync(file, text, { flag: 'wx' });
    return true;
  } catch (error) {
    if (error.code === 'EEXIST') return false;
    throw error;
  }
}

function read(file) {
  let text;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  }
  const owner = unless(() => JSON.parse(text));
  // Half a lock: the owner is about to finish it, or died; its age decides.
  return typeof owner?.id === 'string' ? owner : { pid: 0, host: '', id: 'torn' };
}

function isDead({ id, host, pid, bornAt: born }, file) {
  if (host !== hostname()) return silenceMs(file) > (id === 'torn' ? heartbeatMs : silentMs);
  try {
    process.kill(pid, 0);
  } catch (error) {
    return error.code === 'ESRCH';
  }
  // The same number may be another process by now.
  return born !== undefined && bornAt(pid) !== born;
}

/** Start of a process in clock ticks since boot, where the system tells it. */
function bornAt(pid) {
  const stat = unless(() => readFileSync(`/proc/${pid}/stat`, 'utf8'));
  return stat?.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
}

/** Of many who see one dead lock, one claims it; a claim is named after that lock, so a fresh one is never taken. */
function takeAway(file, owner) {
  const claim = `${file}.${owner.id}`;
  if (isNew(claim, '')) {
    if (read(file)?.id === owner.id) rmSync(file, { force: true });
    rmSync(claim, { force: true });
  } else if (silenceMs(claim) > heartbeatMs) rmSync(claim, { force: true });
}

const silenceMs = (file) => Date.now() - (unless(() => statSync(file).mtimeMs) ?? Infinity);
