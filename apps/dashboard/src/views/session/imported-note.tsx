import type { ReactNode } from 'react';
import { useTimeline, useUse } from '../../api/queries.ts';
import { Bar, PartsTable } from '../../parts/charts/stacked-bar.tsx';
import { countText } from '../../parts/text/format.ts';
import { useParts } from '../../parts/text/kinds.ts';

function asideText(messages: number): string {
  if (messages === 0) return '';
  return ` ${countText(messages)} earlier ${messages === 1 ? 'message was' : 'messages were'} no longer in it: the agent had compacted them.`;
}

/** Says of an imported session what its own agent sent, and that the rest of the page shows what ctx would have sent. */
export function ImportedNote({ session }: { session: string }): ReactNode {
  const imported = useTimeline(session).data?.imported;
  const use = useUse(session, imported !== undefined).data?.use;
  if (imported === undefined) return null;
  const parts = use === undefined ? [] : useParts(use);
  return (
    <section className="card" aria-label="As recorded">
      <p>
        <strong>This session was imported.</strong> The views below show what ctx would have sent.
        {use === undefined
          ? ''
          : ` As recorded, the last request held about ${countText(use.tokens)} tokens${use.isAssumed ? `; its window is taken for ${countText(use.windowTokens)}` : ''}.`}
        {asideText(imported.messagesAside)}
      </p>
      {use === undefined ? null : (
        <details>
          <summary>Where the tokens of the recorded request went</summary>
          <Bar label="The last recorded request, by part" parts={parts} whole={use.windowTokens} />
          <PartsTable parts={parts} whole={use.windowTokens} />
        </details>
      )}
    </section>
  );
}
