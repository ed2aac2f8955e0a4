/** Where the key of this tab is. Never in the address bar, in a cookie or on disk. */
export interface KeyStore {
  readonly key: () => string | undefined;
  readonly set: (key: string) => void;
  /** The server did not take the key. */
  readonly refuse: () => void;
  readonly isRefused: () => boolean;
  /** Calls back at every change; the answer ends that. */
  readonly subscribe: (listener: () => void) => () => void;
}

const name = 'ctx.key';

/** What of the browser is used. */
export interface KeyHost {
  readonly location: Pick<Location, 'hash' | 'pathname' | 'search'>;
  readonly history: Pick<History, 'replaceState' | 'state'>;
  readonly sessionStorage: Pick<Storage, 'getItem' | 'setItem'>;
}

/** Takes the key out of the fragment, in which `ctx up` hands it over. */
function takeFragment({ location, history, sessionStorage }: KeyHost): void {
  const found = new URLSearchParams(location.hash.slice(1)).get('key');
  if (found === null) return;
  sessionStorage.setItem(name, found);
  history.replaceState(history.state, '', `${location.pathname}${location.search}`);
}

/** Opens the store of this tab's key. */
export function openKeyStore(host: KeyHost): KeyStore {
  takeFragment(host);
  const listeners = new Set<() => void>();
  let isRefused = false;
  const tell = (): void => {
    for (const listener of listeners) listener();
  };
  return {
    key: () => host.sessionStorage.getItem(name) ?? undefined,
    set: (key) => {
      host.sessionStorage.setItem(name, key);
      isRefused = false;
      tell();
    },
    refuse: () => {
      if (isRefused) return;
      isRefused = true;
      tell();
    },
    isRefused: () => isRefused,
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
