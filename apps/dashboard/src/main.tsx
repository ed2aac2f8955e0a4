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
      // A server on this machine is there without a network, too.
      networkMode: 'always',
      retry: (count, error) => isPassing(error) && count < 3,
    },
  },
});
const client = clientOf(keys, location.origin, () => firstNews);
const refreshItems = itemRefresher(queries, itemReader(client));
const live = liveConnection({
  openSocket: () => new WebSocket(`${location.origin.replace('http', 'ws')}/v1/live`),
  key: keys.key,
  onReset: () => void queries.invalidateQueries(),
  onEvent: followEvents({ queries, refreshItems, later }),
  onRefused: keys.refuse,
  later,
});
/** How long requests wait for the live connection, so that nothing is read twice, ms. The page is there meanwhile. */
const patienceMs = 400;

const firstNews = new Promise<void>((resolve) => {
  later(resolve, patienceMs);
  live.subscribe(resolve);
});
live.start();

const place = document.querySelector('#page');
if (place !== null) {
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
