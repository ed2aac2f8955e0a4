import { CtxError } from '@ctx/core';
import type { WindowEvent } from '@ctx/truncation';
import { checkSignal } from './check-signal.ts';
import type { EventHub } from './manager-events.ts';
import type { ManagerSettings } from './manager-settings.ts';
import { type ManagerWindow, openManagerWindow } from './open-manager-window.ts';
import type { RecordedCalls } from './recorded-calls.ts';

/** Everything that a manager holds. */
export interface Managing {
  readonly settings: ManagerSettings;
  readonly hub: EventHub;
  readonly calls: RecordedCalls;
  opened: Promise<ManagerWindow> | undefined;
  /** What is being done: one thing after the other. */
  last: Promise<unknown>;
  isEnded: boolean;
}

function tellOfEvent(hub: EventHub, event: WindowEvent): void {
  if (event.type === 'cache-miss') hub.tell('cache-miss', event);
  if (event.type === 'requested' && event.flush !== undefined) hub.tell('flushed', event.flush);
}

/** The window; opened again after it failed. */
export function open(managing: Managing): Promise<ManagerWindow> {
  const { settings, calls, hub } = managing;
  const opening = (managing.opened ??= openManagerWindow(settings, calls, (event) => {
    tellOfEvent(hub, event);
  }));
  opening.catch(() => {
    if (managing.opened === opening) managing.opened = undefined;
  });
  return opening;
}

/** What a store refused once it may take the next time, by a window that is opened anew. */
export function forgetWindow(managing: Managing): void {
  void closeWindow(managing);
}

/** Closes the window, and waits for what it writes. It is opened anew when it is needed. */
export async function closeWindow(managing: Managing): Promise<void> {
  const { opened } = managing;
  managing.opened = undefined;
  await opened?.then(({ window }) => window.close()).catch(() => undefined);
}

/** Does one thing after the other. Throws: `CTX_ABORTED` where the signal came before its turn. */
export function inTurn<Result>(
  managing: Managing,
  work: () => Promise<Result>,
  signal?: AbortSignal,
): Promise<Result> {
  const turn = managing.last.then(() => {
    if (managing.isEnded) throw new CtxError('CTX_INVALID_INPUT', 'this session was ended');
    checkSignal(signal);
    return work();
  });
  managing.last = turn.catch(() => undefined);
  return turn;
}
