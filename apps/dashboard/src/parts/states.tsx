import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { visibleText } from './text/plain-text.tsx';

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

interface ShownProps<T> {
  readonly query: Pick<UseQueryResult<T>, 'data' | 'error'>;
  readonly children: (data: T) => ReactNode;
}

/** Shows an answer once it is there; what was shown stays while it is read anew. */
export function Shown<T>({ query, children }: ShownProps<T>): ReactNode {
  if (query.data !== undefined) return children(query.data);
  return query.error === null ? <Loading /> : <Problem error={query.error} />;
}
