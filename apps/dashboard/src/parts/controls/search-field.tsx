import type { ReactNode } from 'react';
import { useAddressState } from '../addresses.ts';

/** The search of a view: `q` of its address. The key / leads to it. */
export function SearchField({ label }: { label: string }): ReactNode {
  const [q, setQ] = useAddressState('q');
  return (
    <input
      type="search"
      placeholder={label}
      aria-label={label}
      aria-keyshortcuts="/"
      value={q}
      onChange={({ target }) => {
        setQ(target.value);
      }}
    />
  );
}
