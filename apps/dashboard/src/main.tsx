import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { ApiProvider, clientOf } from './api/api-context.ts';
import { isPassing } from './api/ask.ts';
import { openKeyStore } from './api/key-store.ts';
import { followEvents } from './live/follow-events.ts';
import { liveConnection } from './live/live-connection.ts';
import { later } from './live/paced.ts';
import { itemReader, itemRefresher } from './live/refresh-items.ts';
import { Page } from './page.tsx';
import './styles/index.css';

const keys = openKeyStore(window);
const queries = new QueryClient({
  defaultOptions: {
    queries: {
      // Live events say when something is old.
      staleTime: Number.POSITIVE_INFINITY,
      refetchOnWindowFocus: false,
      retry: (count, error) => isPassing(error) && count < 3,
    },
  },
});
const client = clientOf(keys, location.origin);
const refreshItems = itemRefresher(queries, itemReader(client));
const live = liveConnection({
  openSocket: () => new WebSocket(`${location.origin.replace('http', 'ws')}/v1/live`),
  key: keys.key,
  onReset: () => void queries.invalidateQueries(),
  onEvent: followEvents({ queries, refreshItems, later }),
  onRefused: keys.refuse,
  later,
});
/** How long the page waits for its live connection, so that nothing is read twice, ms. */
const patienceMs = 400;

function show(): void {
  const place = document.querySelector('#page');
  if (place === null) return;
  createRoot(place).render(
    <StrictMode>
      <QueryClientProvider client={queries}>
        <ApiProvider value={{ client, keys, live }}>
          <Page />
        </ApiProvider>
      </QueryClientProvider>
    </StrictMode>,
  );
}

const cancel = later(start, patienceMs);
const unsubscribe = live.subscribe(start);
live.start();

/** Once: at the first news of the connection, or when that takes too long. */
function start(): void {
  cancel();
  unsubscribe();
  show();
}
