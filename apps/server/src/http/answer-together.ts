import type { App } from '../app.ts';

/**
 * Sends what was answered in one turn of the loop behind it, one answer after the other: clients that wait are woken once and find
 * more to read, which takes far less of the system than to wake one for each answer.
 * Cost: an answer waits for those of the same turn; one that is alone is sent at once.
 */
export function answerTogether(app: App): void {
  let turn: Promise<void> | undefined;
  const end = (resolve: () => void): void => {
    turn = undefined;
    resolve();
  };
  app.addHook('onSend', () => (turn ??= new Promise((resolve) => setImmediate(end, resolve))));
}
