import type { ReactNode } from 'react';
import { Legend } from '../../parts/charts/swatch.tsx';
import { countText, moneyText } from '../../parts/text/format.ts';

/** What a session had cost by each of its requests, in the tone that stands for it. */
export interface CostLine {
  readonly name: string;
  readonly tone: string;
  readonly line: readonly { readonly request: number; readonly dollars: number }[];
}

/** The chart's own lengths; the page stretches them. */
const [wide, tall] = [1000, 100];

/** Cost so far, request by request. The table beside it says how each line ends. */
export function CostLines({ lines }: { lines: readonly CostLine[] }): ReactNode {
  const points = lines.flatMap(({ line }) => line);
  const most = Math.max(1e-9, ...points.map(({ dollars }) => dollars));
  const last = Math.max(1, ...points.map(({ request }) => request));
  const placeOf = (request: number, dollars: number): string =>
    `${((request / last) * wide).toFixed(1)},${(tall - (dollars / most) * tall).toFixed(2)}`;
  return (
    <>
      <div className="chart is-still">
        <div className="chart-axis number" aria-hidden="true">
          <span>{moneyText(most)}</span>
          <span>{moneyText(most / 2)}</span>
          <span>$0</span>
        </div>
        <svg
          viewBox={`0 0 ${wide} ${tall}`}
          preserveAspectRatio="none"
          role="img"
          aria-label="Cost so far by request; the table says how each line ends"
        >
          <line className="grid-line" x1={0} x2={wide} y1={tall / 2} y2={tall / 2} />
          {lines.map(({ name, tone, line }) => (
            <polyline
              key={name}
              className={`mark tone-${tone}`}
              points={[
                placeOf(0, 0),
                ...line.map(({ request, dollars }) => placeOf(request, dollars)),
              ].join(' ')}
            />
          ))}
        </svg>
      </div>
      <p className="legend muted">From request 1 to request {countText(last)}</p>
      <Legend tones={lines.map(({ tone, name }) => [tone, name])} />
    </>
  );
}
