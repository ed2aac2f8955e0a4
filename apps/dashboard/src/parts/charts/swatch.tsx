import type { ReactNode } from 'react';

/** A spot of a colour that means something; the name stands beside it, or is its title. */
export function Swatch({ tone, title }: { tone: string; title?: string }): ReactNode {
  return <span className={`swatch tone-${tone}`} title={title} />;
}

/** What colours mean, where no table beside them says it. */
export function Legend({ tones }: { tones: readonly (readonly [string, string])[] }): ReactNode {
  return (
    <p className="legend">
      {tones.map(([tone, name]) => (
        <span key={tone}>
          <Swatch tone={tone} />
          {name}
        </span>
      ))}
    </p>
  );
}
