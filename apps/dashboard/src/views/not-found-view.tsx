import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { useTitle } from '../parts/use-title.ts';

/** What stands at addresses that name no view. */
export function NotFoundView(): ReactNode {
  useTitle('Not found');
  return (
    <>
      <h1>Page not found</h1>
      <Link href="/sessions">Go to the sessions</Link>
    </>
  );
}
