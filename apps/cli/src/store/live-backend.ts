import { systemClock } from '@ctx/core';
import { withLiveEvents } from '@ctx/server/records';
import { type StoreBackend, wrapBackend } from '@ctx/store/backend';

/**
 * A backend whose changes are told to who watches the store: the page or a client of a server that runs beside this command.
 * `isTold` says for each write whether it is. Default: each is.
 */
export function toldBackend(
  backend: StoreBackend,
  isTold: () => boolean = () => true,
): StoreBackend {
  const told = withLiveEvents(backend, { clock: systemClock });
  const write: StoreBackend['write'] = (operations, options) =>
    (isTold() ? told : backend).write(operations, options);
  return wrapBackend(told, { write });
}
