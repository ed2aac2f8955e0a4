import { type ReactNode, useSyncExternalStore } from 'react';
import { agoText, timeText } from './format.ts';

/** How often what stands there is looked at again, ms. */
const tickMs = 20_000;

let now = Date.now();
const watchers = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;

function tick(): void {
  now = Date.now();
  for (const watcher of watchers) watcher();
}

/** One timer for all, and none while no time is shown. */
function watch(watcher: () => void): () => void {
  if (watchers.size === 0) {
    now = Date.now();
    timer = setInterval(tick, tickMs);
  }
  watchers.add(watcher);
  return () => {
    watchers.delete(watcher);
    if (watchers.size === 0) clearInterval(timer);
  };
}

/** How long ago a moment was, as time passes; the moment itself is its title. */
export function Ago({ at }: { at: string }): ReactNode {
  const moment = useSyncExternalStore(watch, () => now);
  return (
    <time dateTime={at} title={timeText(at)}>
      {agoText(at, Math.max(moment, Date.parse(at)))}
    </time>
  );
}
