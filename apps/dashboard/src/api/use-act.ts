import { useState } from 'react';

/** What is done when somebody presses a button: whether it goes on, and why it failed. */
interface Act<T> {
  readonly mutate: (given: T) => void;
  readonly isPending: boolean;
  readonly error: Error | null;
}

/** Makes a change of what a button calls, once at a time. */
export function useAct<T = void>(act: (given: T) => Promise<unknown>): Act<T> {
  const [isPending, setPending] = useState(false);
  const [error, setError] = useState<Error | null>(null);
  const mutate = (given: T): void => {
    setPending(true);
    setError(null);
    act(given)
      .catch(setError)
      .finally(() => {
        setPending(false);
      });
  };
  return { mutate, isPending, error };
}
