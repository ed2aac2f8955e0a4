import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { Refusal } from '../api/ask.ts';
import { visibleText } from './text/plain-text.tsx';
import { useTitle } from './use-title.ts';

/** Says that there is nothing, and what to do. */
export function Empty({ title, children }: { title: string; children: ReactNode }): ReactNode {
  return (
    <div className="empty">
      <h2>{title}</h2>
      <div className="muted">{children}</div>
    </div>
  );
}

/** Says what went wrong. */
export function Problem({ error }: { error: Error }): ReactNode {
  return (
    <div className="problem" role="alert">
      <strong>That did not work.</strong> {visibleText(error.message)}
    </div>
  );
}

export function Loading(): ReactNode {
  return <div className="loading" role="status" aria-label="Loading" />;
}

/** What stands at addresses that name nothing. */
export function NotFound(): ReactNode {
  useTitle('Not found');
  return (
    <>
      <h1>Page not found</h1>
      <Link href="/sessions">Sessions</Link>
    </>
  );
}

/** Whether the server has nothing at the address that was asked for. */
export function isMissing(error: unknown): boolean {
  return error instanceof Refusal && error.status === 404;
}

interface ShownProps<T> {
  readonly query: Pick<UseQueryResult<T>, 'data' | 'error'>;
  readonly children: (data: T) => ReactNode;
}

/** Shows an answer once it is there; what was shown stays while it is read anew. */
export function Shown<T>({ query, children }: ShownProps<T>): ReactNode {
  if (query.data !== undefined) return children(query.data);
  if (isMissing(query.error)) return <NotFound />;
  return query.error === null ? <Loading /> : <Problem error={query.error} />;
}
