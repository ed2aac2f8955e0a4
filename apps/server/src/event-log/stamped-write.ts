import type { LiveChange } from './live-event.ts';
import type { SeenWrite } from './write-groups.ts';

/** A write with the events that go with it, by tenant. */
export interface StampedWrite extends Pick<SeenWrite, 'operations' | 'options'> {
  readonly changes: ReadonlyMap<string, readonly LiveChange[]>;
}

/** Does a write and logs its events, all of it or nothing. */
export type EventWriter = (write: StampedWrite) => Promise<void>;
