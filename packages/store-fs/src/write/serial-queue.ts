/** Runs one task after the other, in the order given. A task that fails does not stop those after it. */
export type SerialQueue = <T>(task: () => Promise<T>) => Promise<T>;

/** Makes an empty queue. */
export function createSerialQueue(): SerialQueue {
  let last: Promise<unknown> = Promise.resolve();
  return (task) => {
    const run = last.then(task, task);
    last = run.catch(() => undefined);
    return run;
  };
}
