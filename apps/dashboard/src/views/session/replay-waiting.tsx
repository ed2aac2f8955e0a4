import type { ReactNode } from 'react';
import type { ReplayProgress } from '../../api/use-replay.ts';
import { Loading, Problem } from '../../parts/states.tsx';
import { countText } from '../../parts/text/format.ts';

/** How far the replay of an imported session is, or why there is none. */
export function ReplayWaiting({ replay, error }: ReplayProgress): ReactNode {
  if (error !== undefined) return <Problem error={error} />;
  if (replay === undefined) return <Loading />;
  const { state, step, steps, detail } = replay;
  if (state !== 'running') {
    return <Problem error={new Error(detail ?? 'The replay was cancelled.')} />;
  }
  const text =
    steps === 0
      ? 'Reading the session …'
      : `Replaying request ${countText(step)} of ${countText(steps)} …`;
  return (
    <section className="card actions" aria-label="Replay">
      <progress max={Math.max(1, steps)} value={step} aria-label="Requests replayed" />
      <span className="number" role="status">
        {text}
      </span>
      <span className="muted">Leaving cancels the replay. Once done, its result is kept.</span>
    </section>
  );
}
