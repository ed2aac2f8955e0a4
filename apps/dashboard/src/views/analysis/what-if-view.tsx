import type { ReactNode } from 'react';
import { Refusal } from '../../api/ask.ts';
import { useTimeline } from '../../api/queries.ts';
import { useAddressState } from '../../parts/addresses.ts';
import { Loading, Problem, Shown } from '../../parts/states.tsx';
import { countText } from '../../parts/text/format.ts';
import { useCancelWhatIf, useStartWhatIf, useWhatIf, type WhatIfRun } from './use-what-if.ts';
import { WhatIfForm } from './what-if-form.tsx';
import { WhatIfResult } from './what-if-result.tsx';

interface RunProps {
  readonly session: string;
  readonly run: WhatIfRun;
}

function Running({ session, run }: RunProps): ReactNode {
  const { step, steps, id } = run;
  const cancel = useCancelWhatIf(session, id);
  const text =
    steps === 0 ? 'Reading the session …' : `Request ${countText(step)} of ${countText(steps)}`;
  return (
    <section className="card actions" aria-label="Replay">
      <progress max={Math.max(1, steps)} value={step} aria-label="Requests replayed" />
      <span className="number" role="status">
        {text}
      </span>
      <button
        type="button"
        onClick={() => {
          cancel.mutate();
        }}
      >
        Cancel
      </button>
      {cancel.error === null ? null : <Problem error={cancel.error} />}
    </section>
  );
}

function Outcome({ session, run }: RunProps): ReactNode {
  if (run.state === 'running') return <Running session={session} run={run} />;
  if (run.state === 'cancelled') return <p role="status">The replay was cancelled.</p>;
  if (run.policies === undefined)
    return <Problem error={new Error(run.detail ?? 'The replay failed.')} />;
  return <WhatIfResult run={run} policies={run.policies} />;
}

/** What came of a run that the server may have forgotten. */
function RunOf({ session, id }: { session: string; id: string }): ReactNode {
  const query = useWhatIf(session, id);
  if (query.error instanceof Refusal && query.error.status === 404) {
    return <p role="status">The server no longer keeps this replay. Start it again.</p>;
  }
  return <Shown query={query}>{(run) => <Outcome session={session} run={run} />}</Shown>;
}

/** The same session under several policies, another window or another price list, side by side. */
export function WhatIfView({ session }: { session: string }): ReactNode {
  const [id, setId] = useAddressState('run');
  const start = useStartWhatIf(session, setId);
  const isRunning = useWhatIf(session, id).data?.state === 'running';
  const timeline = useTimeline(session);
  if (timeline.isPending) return <Loading />;
  return (
    <>
      <p>
        Replay the requests of this session under other policies, another window or other prices.
        The ctx policies also compact the conversation when that pays. Nothing is sent to a
        provider.
      </p>
      <WhatIfForm
        ownWindow={timeline.data?.requests.at(-1)?.windowTokens ?? 200_000}
        isBusy={start.isPending || isRunning}
        onAsk={start.mutate}
      />
      {start.error === null ? null : <Problem error={start.error} />}
      {id === '' ? null : <RunOf session={session} id={id} />}
    </>
  );
}
