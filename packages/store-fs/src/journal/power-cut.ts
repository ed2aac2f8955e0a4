import { placeName } from '../files/record-place.ts';
import { bootId } from '../lock/lock-owner.ts';
import type { CommittedState } from '../lock/store-lock.ts';
import { openJournal } from './journal-file.ts';

/**
 * The records that were committed before the machine stopped, as far as the journal still tells; undefined where it did not stop, or
 * the journal does not say so. A file that is cut off in the place of any other record is that of a write that never ended: what
 * was acknowledged was on the disk.
 * Makes one pass over the journal.
 */
export function knownBeforePowerCut(
  root: string,
  { generation, length }: CommittedState,
): ReadonlySet<string> | undefined {
  const names = new Set<string>();
  const last = { boot: '', isClosed: false };
  try {
    const journal = openJournal(root, generation, 'r');
    journal.read(0, Math.min(length, journal.size()), (line) => {
      last.isClosed = line.type === 'closed';
      if (line.type === 'opened') last.boot = line.boot;
      if (line.type === 'write') for (const step of line.steps) names.add(placeName(step));
    });
    journal.close();
  } catch {
    return undefined;
  }
  const { boot, isClosed } = last;
  return isClosed || boot === '' || boot === bootId() ? undefined : names;
}
