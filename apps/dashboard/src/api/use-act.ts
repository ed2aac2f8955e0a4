import { useState } from 'react';

/** The state of a button's action: whether it is running, and why it failed. */
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
