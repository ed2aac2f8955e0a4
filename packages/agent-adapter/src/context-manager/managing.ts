import { CtxError } from '@ctx/core';
import { copyData } from '@ctx/core/encoding';
import type { RecordedCalls, WindowEvent } from '@ctx/truncation';
import { checkSignal } from './check-signal.ts';
import type { EventHub } from './manager-events.ts';
import type { ManagerSettings } from './manager-settings.ts';
import type { ManagedMemory } from './memory/managed-memory.ts';
import type { ManagerWindow } from './open-manager-window.ts';

/** Everything that a manager holds. */
export interface Managing {
  readonly settings: ManagerSettings;
  readonly hub: EventHub;
  readonly calls: RecordedCalls;
  readonly observer?: ManagedMemory;
  opened: Promise<ManagerWindow> | undefined;
  /** What is being done: one thing after the other. */
  last: Promise<unknown>;
  isEnded: boolean;
}

function tellOfEvent(hub: EventHub, event: WindowEvent): void {
  if (event.type === 'cache-miss') hub.tell('cache-miss', event);
  if (event.type === 'requested' && event.flush !== undefined) {
    hub.tell('flushed', copyData(event.flush));
  }
}

/** Windows are most of this package: they are loaded with the first one. */
async function openWindow({ settings, calls, hub }: Managing): Promise<ManagerWindow> {
  const { openManagerWindow } = await import('./open-manager-window.ts');
  return openManagerWindow(settings, calls, (event) => {
    tellOfEvent(hub, event);
  });
}

/** The window; opened again after it failed. */
export function open(managing: Managing): Promise<ManagerWindow> {
  const opening = (managing.opened ??= openWindow(managing));
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

/**
 * Does one thing after the other.
 * @throws `CTX_ABORTED` where the signal came before its turn.
 */
export function inManagerTurn<Result>(
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
