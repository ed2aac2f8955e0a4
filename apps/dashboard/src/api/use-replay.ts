import { useEffect, useState } from 'react';
import { type CtxClient, useApi } from './api-context.ts';
import { ask } from './ask.ts';
import type { Json } from './json.ts';
import type { SessionMode } from './session-mode.ts';

/** How far a replay is. */
export type Replay = Json<'/v1/sessions/{session}/replays/{replay}'>;

/** How often a replay is asked how far it is, ms. */
const everyMs = 250;

/** Which replay is wanted, and what is told of it. */
interface Followed {
  readonly client: CtxClient;
  readonly session: string;
  readonly mode: SessionMode;
  readonly signal: AbortSignal;
  readonly onReplay: (replay: Replay) => void;
}

/** Resolves after a while, or as soon as the signal is aborted. */
function pause(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, everyMs);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}

/** Has the session replayed, and follows that until it is over; once the signal is aborted the server is told that nobody waits. */
async function followReplay({ client, session, mode, signal, onReplay }: Followed): Promise<void> {
  const start = { params: { path: { session } }, body: { mode } };
  const isLeft = (): boolean => signal.aborted;
  let replay = await ask(client.POST('/v1/sessions/{session}/replays', start));
  const watched = { params: { path: { session, replay: replay.id } } };
  while (!isLeft()) {
    onReplay(replay);
    if (replay.state !== 'running') return;
    await pause(signal);
    if (isLeft()) break;
    replay = await ask(client.GET('/v1/sessions/{session}/replays/{replay}', watched));
  }
  await client.DELETE('/v1/sessions/{session}/replays/{replay}', { ...watched, keepalive: true });
}

/** A replay as the page knows it. */
export interface ReplayProgress {
  /** Missing before the server has answered. */
  readonly replay?: Replay;
  readonly error?: Error;
}

/** Has an imported session replayed in a mode; leaving the page or the mode cancels that. Nothing is done as it was recorded. */
export function useReplay(session: string, mode: SessionMode): ReplayProgress {
  const { client } = useApi();
  const [found, setFound] = useState<ReplayProgress & { readonly of?: string }>({});
  const of = JSON.stringify([session, mode]);
  useEffect(() => {
    if (mode === 'recorded') return;
    const stop = new AbortController();
    const { signal } = stop;
    const onReplay = (replay: Replay): void => {
      setFound({ replay, of });
    };
    followReplay({ client, session, mode, signal, onReplay }).catch((cause: unknown) => {
      const error = cause instanceof Error ? cause : new Error(String(cause));
      if (!signal.aborted) setFound({ error, of });
    });
    const leave = (): void => {
      stop.abort();
    };
    addEventListener('pagehide', leave);
    return () => {
      removeEventListener('pagehide', leave);
      leave();
    };
  }, [client, session, mode, of]);
  return found.of === of ? found : {};
}
