import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { useItemStats, useSession, useTimeline, type View } from '../../api/queries.ts';
import { useViewSums } from '../../api/view-queries.ts';
import { agentPath, sessionPath } from '../../parts/addresses.ts';
import { Figure } from '../../parts/charts/figure.tsx';
import { Bar, PartsTable } from '../../parts/charts/stacked-bar.tsx';
import { Swatch } from '../../parts/charts/swatch.tsx';
import { Commands, sessionCommand } from '../../parts/controls/commands.tsx';
import { totalsOf } from '../../parts/ledger.ts';
import { causeNames } from '../../parts/request-cost.ts';
import { Empty, Shown } from '../../parts/states.tsx';
import { countedText, countText, shareText } from '../../parts/text/format.ts';
import { windowParts } from '../../parts/text/kinds.ts';
import { firstLine } from '../../parts/text/plain-text.tsx';
import { FixedTools } from '../session/fixed-tools.tsx';
import { ByTool, Largest } from '../session/pieces-of-window.tsx';
import { useIsWatched } from '../session/watched-note.tsx';

function Figures({ session, view }: { session: string; view: View }): ReactNode {
  const isWatched = useIsWatched(session);
  const { tokens, limitTokens, windowTokens, requests } = view;
  const { received, removed } = totalsOf(view);
  return (
    <div className="figures">
      <Figure
        name="In the window"
        value={countText(tokens)}
        note={`${shareText(tokens, limitTokens)} of limit`}
      />
      <Figure
        name="Limit"
        value={countText(limitTokens)}
        note={`of a window of ${countText(windowTokens)}`}
      />
      <Figure
        name="Removed, still readable"
        value={countText(removed)}
        note={`of ${countText(received)} received`}
      />
      {isWatched ? null : <Figure name="Requests" value={countText(requests)} note="so far" />}
    </div>
  );
}

/** What left last, why, and the way there. */
function LastLeft({ session }: { session: string }): ReactNode {
  const { data } = useTimeline(session);
  const compacted = data?.requests.findLast(({ compaction }) => compaction !== undefined);
  const last = data?.requests.findLast(({ flush }) => flush !== undefined);
  if (last?.flush === undefined) {
    return compacted === undefined ? (
      <p className="muted">No flushes so far.</p>
    ) : (
      <p className="ends">
        <span>{`Latest compaction: before request ${compacted.number}.`}</span>
        <Link href={sessionPath(session, '/left')}>See what was removed</Link>
      </p>
    );
  }
  const { flush, number } = last;
  const saved = flush.beforeTokens - flush.afterTokens;
  return (
    <p className="ends">
      <span>
        <Swatch tone="flush" />
        {`Latest flush: ${countText(saved)} tokens removed for request ${number} because ${causeNames[flush.cause] ?? flush.cause}.`}
      </span>
      <Link href={sessionPath(session, `/flush/${number}`)}>See what was removed</Link>
    </p>
  );
}

function Tiers({ agent }: { agent: string }): ReactNode {
  const query = useItemStats(agent);
  return (
    <Shown query={query}>
      {({ tiers, archived }) => {
        const all = [...tiers, { tier: 'archived', ...archived }];
        const parts = all.map(({ tier, tokens, items }) => ({
          name: tier,
          tone: tier,
          value: tokens,
          note: countedText(items, 'item'),
        }));
        return (
          <>
            <h2>Items of {firstLine(agent)} by tier</h2>
            <Bar label="Tokens by tier" parts={parts} isTall />
            <PartsTable parts={parts} />
            <Link href={agentPath(agent)}>Show the items</Link>
          </>
        );
      }}
    </Shown>
  );
}

function NoRequest({ session }: { session: string }): ReactNode {
  return (
    <Empty title="No requests yet">
      <p>
        This session has <Link href={sessionPath(session, '/outputs')}>tool outputs</Link> only.
        Requests appear once an agent sends them through ctx.
      </p>
    </Empty>
  );
}

/** Where the tokens go: the window as it stands, by kind, against limit and reserve. */
export function ContextPanel({ session }: { session: string }): ReactNode {
  const query = useViewSums(session);
  const agent = useSession(session).data?.session.agentId;
  return (
    <Shown query={query}>
      {(view) => {
        if (view.segments.length === 0) return <NoRequest session={session} />;
        const parts = windowParts(view);
        return (
          <>
            <Figures session={session} view={view} />
            <section className="card">
              <h2>Where the tokens go</h2>
              <Bar
                label="The current window by kind, with its limit and reserve"
                parts={parts}
                whole={view.windowTokens}
                limit={view.limitTokens}
                isTall
              />
              <div className="columns">
                <PartsTable parts={parts} whole={view.windowTokens} />
                <ByTool tools={view.tools ?? []} />
              </div>
              <LastLeft session={session} />
            </section>
            <div className="columns">
              <Largest segments={view.segments} session={session} />
              <FixedTools view={view} />
              {agent === undefined ? null : (
                <section className="card">
                  <Tiers agent={agent} />
                </section>
              )}
            </div>
            <Commands
              cli={sessionCommand('status', session)}
              api={`/v1${sessionPath(session, '/view')}`}
              isOfMode
            />
          </>
        );
      }}
    </Shown>
  );
}
