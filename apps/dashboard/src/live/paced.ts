/** Calls back after ms; the answer takes it back. */
export type Later = (run: () => void, ms: number) => () => void;

/** By the timer of the page. */
export const later: Later = (run, ms) => {
  const timer = setTimeout(run, ms);
  return () => {
    clearTimeout(timer);
  };
};

/**
 * Does work when it is asked for: at once where nothing runs, else again as soon as the run before has ended and rested.
 * What is asked for is done by a run that begins after that; two never run at the same time. A failed run is one that ended.
 */
export function paced(work: () => Promise<unknown>, after: Later, restMs: number): () => void {
  let isBusy = false;
  let isAsked = false;
  const next = (): void => {
    isBusy = false;
    if (isAsked) run();
  };
  const rest = (): void => {
    after(next, restMs);
  };
  const run = (): void => {
    isBusy = true;
    isAsked = false;
    work().then(rest, rest);
  };
  return () => {
    isAsked = true;
    if (!isBusy) run();
  };
}
