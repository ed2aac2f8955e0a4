/** Longest work between two turns of the event loop, ms. */
const mostMs = 10;

/**
 * Returns what long loops call at each step: a promise to wait for when they have worked for 10 ms, so that timers and other requests
 * of the process get a turn.
 */
export function takeTurns(): () => Promise<void> | undefined {
  let since = performance.now();
  return () => {
    if (performance.now() - since < mostMs) return undefined;
    return new Promise((resolve) => {
      setImmediate(() => {
        since = performance.now();
        resolve();
      });
    });
  };
}
