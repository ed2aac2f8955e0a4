import { applyEvent } from '../../window/apply-event.ts';
import type { OpenSessionState } from '../session.ts';
import { fillView } from '../view/fill-view.ts';
import { type HistoryMark, marksOf } from '../view/read-history.ts';
import { eventsTo, readLog } from './read-log.ts';
import type { ReadEvent } from './stored-event.ts';

/**
 * Lets events of another process take effect. Results of theirs are read if they are in view. Of the newest the store is asked in any
 * case: it saves the next one without a look where it knows the one before.
 */
async function take(session: OpenSessionState, events: readonly ReadEvent[]): Promise<void> {
  const { place, state } = session;
  for (const { event } of events) applyEvent(state, event);
  const missing = events.flatMap((one) => one.missing);
  const read = await fillView(place, state, missing);
  const newest = missing.at(-1);
  if (newest === undefined || read.includes(newest)) return;
  await place.store.outputs.pointer({ id: newest.output, sessionId: place.sessionId });
}

/**
 * Takes what other processes have written into the log since, and gives the messages among it; `undefined` if they went back to
 * an earlier event, and then nothing is taken.
 * The window is as if it were opened now. Reads what was written since.
 * @throws `CTX_STORE_CORRUPT`.
 */
export async function followLog(
  session: OpenSessionState,
): Promise<readonly HistoryMark[] | undefined> {
  const { place, writer, checkpoints } = session;
  const log = await readLog(place.store, place.sessionId, writer.next);
  if (log.rewinds.length > 0) return undefined;
  const events = [...eventsTo(log)];
  try {
    await take(session, events);
  } catch (error) {
    writer.fail(error); // What it shows is not whole.
    throw error;
  }
  for (const [name, made] of log.checkpoints) {
    checkpoints.delete(name);
    checkpoints.set(name, made);
  }
  const before = session.sequence;
  session.sequence = events.at(-1)?.sequence ?? before;
  writer.skipTo(log.next);
  return marksOf(events, before);
}
