import type { App } from '../app.ts';

/**
 * Sends what was read in one turn of the loop after it, one answer after the other: clients that wait are woken once and find more to
 * read, which takes far less of the system than to wake one for each answer. Changes are answered at once: those that are written
 * together come together anyway. Before the routes are added.
 * An answer waits for those of the same turn; one that is alone is sent at once.
 */
export function answerTogether(app: App): void {
  let turn: Promise<void> | undefined;
  const end = (resolve: () => void): void => {
    turn = undefined;
    resolve();
  };
  const wait = (): Promise<void> => (turn ??= new Promise((resolve) => setImmediate(end, resolve)));
  app.addHook('onRoute', (route) => {
    if (route.method === 'GET') route.onSend = [route.onSend ?? [], wait].flat();
  });
}
