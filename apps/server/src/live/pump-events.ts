import type { LiveEvent, LiveEventType } from '../event-log/live-event.ts';
import type { LiveHub } from './live-hub.ts';

/** Which events a reader wants. Left out means all. */
export interface LiveFilter {
  readonly agent?: string;
  readonly session?: string;
  readonly types?: readonly LiveEventType[];
}

/** What goes to a reader, in order. */
export type LiveMessage =
  | { readonly kind: 'ready'; readonly sequence: number }
  | { readonly kind: 'event'; readonly event: LiveEvent }
  /** Events in between are kept no more: read anew what is shown, and go on from here. */
  | { readonly kind: 'reset'; readonly sequence: number };

/** A reader of one tenant's events. */
export interface LiveReader {
  readonly tenant: string;
  readonly filter: LiveFilter;
  /** The last event that it has; left out, it begins with what comes. */
  readonly since?: number;
  readonly signal: AbortSignal;
  /** Hands a message over; resolves when the next one may come. */
  readonly send: (message: LiveMessage) => Promise<void>;
}

/** Whether an event is for a reader. */
export function isWanted(event: LiveEvent, { agent, session, types }: LiveFilter): boolean {
  return (
    (agent === undefined || event.agentId === agent) &&
    (session === undefined || event.sessionId === session) &&
    (types === undefined || types.includes(event.type))
  );
}

/** Where a reader begins, and what it has to be told first. */
async function begin(hub: LiveHub, { tenant, since }: LiveReader): Promise<LiveMessage> {
  const { oldest, newest } = await hub.bounds(tenant);
  const isKnown = since === undefined || (since <= newest && since >= oldest - 1);
  return isKnown
    ? { kind: 'ready', sequence: since ?? newest }
    : { kind: 'reset', sequence: newest };
}

/**
 * Hands the events of a tenant to a reader, one by one, until it is gone.
 * Each event after where it begins comes once, in order; nothing is held for a reader but what it has not taken. One that
 * falls behind what is kept is told so by `reset`.
 */
export async function pumpEvents(hub: LiveHub, reader: LiveReader): Promise<void> {
  const { tenant, filter, signal, send } = reader;
  const first = await begin(hub, reader);
  let place = first.kind === 'event' ? first.event.sequence : first.sequence;
  const isGone = (): boolean => signal.aborted;
  if (isGone()) return;
  await send(first);
  while (!isGone()) {
    const events = await hub.after(tenant, place);
    const [next] = events;
    if (next === undefined) await hub.wait(tenant, place, signal);
    else if (next.sequence > place + 1) {
      place = next.sequence - 1;
      await send({ kind: 'reset', sequence: place });
    }
    for (const event of events) {
      if (isGone()) return;
      place = event.sequence;
      if (isWanted(event, filter)) await send({ kind: 'event', event });
    }
  }
}
