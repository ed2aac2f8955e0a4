import { type StoreBackend, systemClock } from '@ctx/core';
import { withLiveEvents } from '@ctx/core/serving';

/** A backend whose changes are told to who watches the store: the page or a client of a server that runs beside this command. */
export function toldBackend(backend: StoreBackend): StoreBackend {
  return withLiveEvents(backend, { clock: systemClock });
}
