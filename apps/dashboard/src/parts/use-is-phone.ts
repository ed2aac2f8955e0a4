import { useSyncExternalStore } from 'react';

/** As in `phone.css`. */
const query = '(max-width: 46rem)';

function subscribe(listener: () => void): () => void {
  const media = matchMedia(query);
  media.addEventListener('change', listener);
  return () => {
    media.removeEventListener('change', listener);
  };
}

/** Whether the screen is as narrow as that of a phone: rows may have a second line there. */
export function useIsPhone(): boolean {
  return useSyncExternalStore(subscribe, () => matchMedia(query).matches);
}
