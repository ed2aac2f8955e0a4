import { type ReactNode, useSyncExternalStore } from 'react';
import { useApi } from '../api/api-context.ts';
import { useMayWrite } from '../api/use-own-key.ts';
import type { LiveState } from '../live/live-connection.ts';

const names: Readonly<Record<LiveState, string>> = {
  connecting: 'Connecting',
  live: 'Live',
  waiting: 'Reconnecting',
  refused: 'No key',
};

/** How the connection is: what is shown is as new as it says. */
export function ConnectionState(): ReactNode {
  const { live } = useApi();
  const mayWrite = useMayWrite();
  const state = useSyncExternalStore(live.subscribe, live.state);
  return (
    <span className={`connection is-${state}`} role="status" aria-live="polite">
      <span className="dot" aria-hidden="true" />
      {names[state]}
      {state === 'live' && mayWrite === false ? ', read-only key' : ''}
    </span>
  );
}
