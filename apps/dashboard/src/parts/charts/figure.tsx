import type { ReactNode } from 'react';

interface FigureProps {
  readonly name: string;
  readonly value: string;
  readonly note: string;
}

/** One number that matters, with its name. */
export function Figure({ name, value, note }: FigureProps): ReactNode {
  return (
    <div className="figure">
      <span className="muted">{name}</span>
      <strong className="number">{value}</strong>
      <span className="muted">{note}</span>
    </div>
  );
}
