import type { Later } from './paced.ts';

/** An event of the server's log: ids and sizes, never content. */
export interface LiveEvent {
  readonly sequence: number;
  readonly type: string;
  readonly at: number;
  readonly agentId?: string;
  readonly sessionId?: string;
  readonly id?: string;
  readonly tokens?: number;
}

/** How the connection is. `refused`: the key is not good. */
export type LiveState = 'connecting' | 'live' | 'waiting' | 'refused';

/** What of a WebSocket is used. */
export interface Socket {
  onopen: ((event: Event) => void) | null;
  onmessage: ((event: MessageEvent) => void) | null;
  onclose: ((event: CloseEvent) => void) | null;
  send(text: string): void;
  close(): void;
}

/** What the connection is made of. */
export interface LiveOptions {
  readonly openSocket: () => Socket;
  readonly key: () => string | undefined;
  /** What is shown may be old, since there was no listener: it is read again. */
  readonly onReset: () => void;
  readonly onEvent: (event: LiveEvent) => void;
  readonly onRefused: () => void;
  readonly later: Later;
}

/** The live events of the server. Each event comes once, in order, whatever happens to the connection. */
export interface LiveConnection {
  readonly state: () => LiveState;
  readonly subscribe: (listener: () => void) => () => void;
  readonly start: () => void;
  readonly stop: () => void;
}

const firstWaitMs = 250;
const longestWaitMs = 5000;
const refusedCodes: ReadonlySet<number> = new Set([4401, 4403]);

type LiveMessage =
  | { readonly kind: 'ready' | 'reset'; readonly sequence: number }
  | { readonly kind: 'event'; readonly event: LiveEvent };

/** What the server sends; anything else is not for this page. */
function messageOf(text: unknown): LiveMessage | undefined {
  if (typeof text !== 'string') return undefined;
  try {
    return JSON.parse(text) as LiveMessage;
  } catch {
    return undefined;
  }
}

interface Run {
  state: LiveState;
  since: number | undefined;
  waitMs: number;
  socket: Socket | undefined;
  cancel: (() => void) | undefined;
}

function take(run: Run, message: LiveMessage, options: LiveOptions): void {
  if (message.kind === 'event') {
    const { event } = message;
    if (run.since !== undefined && event.sequence <= run.since) return;
    run.since = event.sequence;
    options.onEvent(event);
    return;
  }
  // At first, too: what was read before there was a listener may be old already.
  const isNew = run.since === undefined || message.kind === 'reset';
  run.since = message.sequence;
  if (isNew) options.onReset();
}

/** What a connection does when something happens to its socket. */
interface Turns {
  readonly become: (state: LiveState) => void;
  readonly again: () => void;
}

function follow(run: Run, options: LiveOptions, { become, again }: Turns): void {
  const socket = options.openSocket();
  run.socket = socket;
  socket.onopen = () => {
    const key = options.key();
    const { since } = run;
    socket.send(
      JSON.stringify({
        ...(key === undefined ? {} : { key }),
        ...(since === undefined ? {} : { since }),
      }),
    );
  };
  socket.onmessage = ({ data }) => {
    const message = messageOf(data);
    if (message === undefined || run.socket !== socket) return;
    run.waitMs = firstWaitMs;
    become('live');
    take(run, message, options);
  };
  socket.onclose = ({ code }) => {
    if (run.socket !== socket) return;
    if (refusedCodes.has(code)) {
      become('refused');
      options.onRefused();
    } else again();
  };
}

/** Makes the connection; it starts when it is told to. */
export function liveConnection(options: LiveOptions): LiveConnection {
  const listeners = new Set<() => void>();
  const run: Run = {
    state: 'connecting',
    since: undefined,
    waitMs: firstWaitMs,
    socket: undefined,
    cancel: undefined,
  };
  const become = (state: LiveState): void => {
    if (run.state === state) return;
    run.state = state;
    for (const listener of listeners) listener();
  };
  const again = (): void => {
    become('waiting');
    run.cancel = options.later(open, run.waitMs);
    run.waitMs = Math.min(run.waitMs * 2, longestWaitMs);
  };
  const open = (): void => {
    follow(run, options, { become, again });
  };
  const stop = (): void => {
    run.cancel?.();
    const { socket } = run;
    run.socket = undefined;
    socket?.close();
  };
  return {
    state: () => run.state,
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    start: () => {
      stop();
      // Another key may open another log.
      run.since = undefined;
      become('connecting');
      open();
    },
    stop,
  };
}
