import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act } from 'react';
import { createRoot } from 'react-dom/client';
import { ApiProvider, clientOf } from '../api/api-context.ts';
import { openKeyStore } from '../api/key-store.ts';
import { liveConnection, type Socket } from '../live/live-connection.ts';
import { Page } from '../page.tsx';

/** Answers by the beginning of the path after the origin; the longest that fits. */
export type Answers = Readonly<Record<string, unknown>>;

export interface ShownPage {
  readonly text: () => string;
  /** The text of each element that fits. */
  readonly texts: (selector: string) => string[];
  readonly find: (selector: string) => Element | null;
  readonly click: (selector: string) => Promise<void>;
  readonly close: () => Promise<void>;
}

function answerOf(answers: Answers, path: string): Response {
  const found = Object.keys(answers)
    .filter((start) => path.startsWith(start))
    .sort((left, right) => right.length - left.length)[0];
  if (found === undefined) return Response.json({ title: 'Not found' }, { status: 404 });
  const answer = answers[found];
  if (answer instanceof Response) return answer.clone();
  return Response.json(answer);
}

const silent: Socket = {
  onopen: null,
  onmessage: null,
  onclose: null,
  send: () => undefined,
  close: () => undefined,
};

async function settle(): Promise<void> {
  for (let turn = 0; turn < 8; turn += 1) {
    await act(async () => {
      await new Promise((resolve) => setTimeout(resolve, 0));
    });
  }
}

/** Nothing is laid out here: lists are told that they are as high as on a screen. */
function giveHeight(): void {
  Object.defineProperty(HTMLDivElement.prototype, 'clientHeight', {
    configurable: true,
    get: () => 600,
  });
}

/** Shows the page at an address, over answers of a server. */
export async function showPage(address: string, answers: Answers): Promise<ShownPage> {
  Reflect.set(globalThis, 'IS_REACT_ACT_ENVIRONMENT', true);
  globalThis.fetch = async (input) => {
    const url = new URL(input instanceof Request ? input.url : String(input));
    return answerOf(answers, url.pathname + url.search);
  };
  history.replaceState(null, '', address);
  giveHeight();
  const keys = openKeyStore(window);
  const live = liveConnection({
    openSocket: () => silent,
    key: keys.key,
    onReset: () => undefined,
    onEvent: () => undefined,
    onRefused: () => undefined,
    later: () => () => undefined,
  });
  const place = document.createElement('div');
  document.body.append(place);
  const root = createRoot(place);
  const queries = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  await act(async () => {
    root.render(
      <QueryClientProvider client={queries}>
        <ApiProvider value={{ client: clientOf(keys, location.origin), keys, live }}>
          <Page />
        </ApiProvider>
      </QueryClientProvider>,
    );
  });
  await settle();
  return {
    text: () => place.textContent,
    texts: (selector) => [...place.querySelectorAll(selector)].map((one) => one.textContent),
    find: (selector) => place.querySelector(selector),
    click: async (selector) => {
      const found = place.querySelector<HTMLElement>(selector);
      await act(async () => {
        found?.click();
      });
      await settle();
    },
    close: async () => {
      await act(async () => {
        root.unmount();
      });
      place.remove();
    },
  };
}
