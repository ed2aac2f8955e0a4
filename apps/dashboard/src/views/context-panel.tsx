import type { ReactNode } from 'react';
import { Link } from 'wouter';
import {
  type Segment,
  useItemStats,
  useSession,
  useTimeline,
  useView,
  type View,
} from '../api/queries.ts';
import { agentPath, sessionPath } from '../parts/addresses.ts';
import { Commands } from '../parts/commands.tsx';
import { countText, shareText } from '../parts/format.ts';
import { windowParts } from '../parts/kinds.ts';
import { firstLine } from '../parts/plain-text.tsx';
import { StackedBar } from '../parts/stacked-bar.tsx';
import { Empty, Shown } from '../parts/states.tsx';

function Figure({ name, value, note }: { name: string; value: string; note: string }): ReactNode {
  return (
    <div className="figure">
      <span className="muted">{name}</span>
      <strong className="number">{value}</strong>
      <span className="muted">{note}</span>
    </div>
  );
}

function Figures({ view }: { view: View }): ReactNode {
  const { tokens, limitTokens, windowTokens, segments, requests } = view;
  const whole = segments.reduce((sum, { tokensBefore }) => sum + tokensBefore, 0);
  const shown = segments.reduce((sum, { tokensAfter }) => sum + tokensAfter, 0);
  return (
    <div className="figures">
      <Figure
        name="In the window"
        value={countText(tokens)}
        note={`${shareText(tokens, limitTokens)} of the limit`}
      />
      <Figure
        name="Limit"
        value={countText(limitTokens)}
        note={`of a window of ${countText(windowTokens)}`}
      />
      <Figure
        name="Left, still readable"
        value={countText(Math.max(0, whole - shown))}
        note={`of ${countText(whole)} that came in`}
      />
      <Figure name="Requests" value={countText(requests)} note="so far" />
    </div>
  );
}

function LargestRow({ segment, session }: { segment: Segment; session: string }): ReactNode {
  const { kind, toolName, shown = '', tokensAfter } = segment;
  const address = sessionPath(session, `/request?segment=${segment.segment}`);
  return (
    <tr>
      <td>
        <span className={`swatch tone-${kind}`} /> {firstLine(toolName ?? kind)}
      </td>
      <td className="clip">
        <Link href={address} data-row>
          {firstLine(shown) || '(blank)'}
        </Link>
      </td>
      <td className="number">{countText(tokensAfter)}</td>
    </tr>
  );
}

const largestCount = 8;

function Largest({ view, session }: { view: View; session: string }): ReactNode {
  const largest = [...view.segments]
    .sort((left, right) => right.tokensAfter - left.tokensAfter)
    .slice(0, largestCount);
  return (
    <section className="card">
      <h2>Largest pieces in view</h2>
      <table>
        <thead>
          <tr>
            <th>From</th>
            <th>Begins with</th>
            <th className="number">tokens</th>
          </tr>
        </thead>
        <tbody>
          {largest.map((segment) => (
            <LargestRow key={segment.segment} segment={segment} session={session} />
          ))}
        </tbody>
      </table>
    </section>
  );
}

/** What left last, and the way there. */
function LastLeft({ session }: { session: string }): ReactNode {
  const { data } = useTimeline(session);
  const last = data?.requests.findLast(({ flush }) => flush !== undefined);
  if (last?.flush === undefined) {
    return <p className="muted">Nothing has left this window so far.</p>;
  }
  const { flush, number } = last;
  const saved = flush.beforeTokens - flush.afterTokens;
  return (
    <p>
      For request {number}, {countText(saved)} tokens left in {flush.edits} pieces.{' '}
      <Link href={sessionPath(session, `/flush/${number}`)}>See what, and bring it back</Link>
    </p>
  );
}

function Tiers({ agent }: { agent: string }): ReactNode {
  const query = useItemStats(agent);
  return (
    <Shown query={query}>
      {({ tiers, archived }) => (
        <>
          <StackedBar
            label={`Items of ${firstLine(agent)} by tier`}
            parts={[
              ...tiers.map(({ tier, tokens, items }) => ({
                name: tier,
                tone: tier,
                value: tokens,
                note: `${countText(items)} items`,
              })),
              {
                name: 'archived',
                tone: 'archived',
                value: archived.tokens,
                note: `${countText(archived.items)} items`,
              },
            ]}
          />
          <Link href={agentPath(agent)}>To the items</Link>
        </>
      )}
    </Shown>
  );
}

function NoWindow({ session }: { session: string }): ReactNode {
  return (
    <Empty title="No agent keeps a window of this session">
      <p>
        Its record is here: see its{' '}
        <Link href={sessionPath(session, '/outputs')}>tool outputs</Link>. A window begins with the
        first <code>prepare</code>, or where a context manager sends its requests.
      </p>
    </Empty>
  );
}

/** Where the tokens go: the window as it stands, by kind, against limit and reserve. */
export function ContextPanel({ session }: { session: string }): ReactNode {
  const query = useView(session, { characters: 160 });
  const agent = useSession(session).data?.session.agentId;
  return (
    <Shown query={query}>
      {(view) =>
        view.segments.length === 0 ? (
          <NoWindow session={session} />
        ) : (
          <>
            <Figures view={view} />
            <section className="card">
              <StackedBar
                label="The window as it stands, by kind"
                parts={windowParts(view)}
                whole={view.windowTokens}
                limit={view.limitTokens}
              />
              <LastLeft session={session} />
            </section>
            <div className="columns">
              <Largest view={view} session={session} />
              {agent === undefined ? null : (
                <section className="card">
                  <Tiers agent={agent} />
                </section>
              )}
            </div>
            <Commands cli={['status', session]} api={`/v1${sessionPath(session, '/view')}`} />
          </>
        )
      }
    </Shown>
  );
}
