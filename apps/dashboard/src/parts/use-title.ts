import { useEffect } from 'react';

/** Names the tab of the browser: the view first, so that tabs can be told apart. */
export function useTitle(...parts: readonly string[]): void {
  const title = [...parts.filter((part) => part !== ''), 'ctx'].join(' · ');
  useEffect(() => {
    document.title = title;
  }, [title]);
}
