import type { ReactNode } from 'react';
import { Link, useLocation } from 'wouter';
import { type TimelineRequest, useTimeline } from '../api/queries.ts';
import { sessionPath } from '../parts/addresses.ts';
import { Commands } from '../parts/commands.tsx';
import { countText, shareText, timeText } from '../parts/format.ts';
import { cachedOf, causeNames, costOf, readPrice, writePrice } from '../parts/request-cost.ts';
import { Empty, Shown } from '../parts/states.tsx';
import { TimelineChart } from './timeline-chart.tsx';

function Happened({ session, request }: { session: string; request: TimelineRequest }): ReactNode {
  const { flush, compaction, cause, isAfterRewind, number } = request;
  return (
    <>
      {flush === undefined ? null : (
        <Link href={sessionPath(session, `/flush/${number}`)} className="tag is-flush">
          {countText(flush.beforeTokens - flush.afterTokens)} left:{' '}
          {causeNames[flush.cause] ?? flush.cause}
        </Link>
      )}
      {compaction === undefined ? null : (
        <Link href={sessionPath(session, '/left')} className="tag is-compaction">
          compacted to {countText(compaction.afterTokens)}
        </Link>
      )}
      {isAfterRewind === undefined ? null : <span className="tag">after a rewind</span>}
      {cause === undefined ? null : <span className="tag is-miss">cache: {cause}</span>}
    </>
  );
}

function RequestRow({
  session,
  request,
}: {
  session: string;
  request: TimelineRequest;
}): ReactNode {
  const { number, at, tokens, reported } = request;
  const cached = cachedOf(request);
  return (
    <tr>
      <td className="number">
        <Link href={sessionPath(session, `/request/${number}`)} data-row>
          {number}
        </Link>
      </td>
      <td className="wide">{timeText(at)}</td>
      <td className="number">{countText(tokens)}</td>
      <td className="number">
        {shareText(cached, tokens)}
        <span className="muted">{reported?.cachedTokens === undefined ? ' exp.' : ''}</span>
      </td>
      <td className="number">{countText(costOf(request))}</td>
      <td>
        <Happened session={session} request={request} />
      </td>
    </tr>
  );
}

const legend = [
  ['accent', 'request'],
  ['result', 'of it cached'],
  ['ink', 'limit'],
  ['flush', 'something left'],
  ['compaction', 'compaction'],
] as const;

function Sums({ requests }: { requests: readonly TimelineRequest[] }): ReactNode {
  const tokens = requests.reduce((sum, request) => sum + request.tokens, 0);
  const cost = requests.reduce((sum, request) => sum + costOf(request), 0);
  return (
    <>
      <p className="chart-legend muted">
        {legend.map(([tone, name]) => (
          <span key={tone}>
            <span className={`swatch tone-${tone}`} /> {name}
          </span>
        ))}
      </p>
      <p className="muted">
        {countText(requests.length)} requests, {countText(tokens)} input tokens. They cost as much
        as {countText(cost)} plain ones: a cached token counts {readPrice}, one that is written to
        the cache {writePrice}.
      </p>
    </>
  );
}

/** Tokens and cost of each request, and what was done for it. */
export function SessionTimeline({ session }: { session: string }): ReactNode {
  const query = useTimeline(session);
  const [, navigate] = useLocation();
  return (
    <Shown query={query}>
      {({ requests }) =>
        requests.length === 0 ? (
          <Empty title="No request yet">
            <p>
              Requests are told by <code>POST {sessionPath(session, '/prepare')}</code> or a context
              manager; they appear here as they are made.
            </p>
          </Empty>
        ) : (
          <>
            <section className="card">
              <TimelineChart
                requests={requests}
                onOpen={(number) => {
                  navigate(sessionPath(session, `/request/${number}`));
                }}
              />
              <Sums requests={requests} />
            </section>
            <div className="scroll" tabIndex={0} role="region" aria-label="Requests">
              <table>
                <thead>
                  <tr>
                    <th className="number">Request</th>
                    <th className="wide">At</th>
                    <th className="number">tokens</th>
                    <th className="number">cached</th>
                    <th className="number">cost</th>
                    <th>What happened</th>
                  </tr>
                </thead>
                <tbody>
                  {requests.toReversed().map((request) => (
                    <RequestRow key={request.sequence} session={session} request={request} />
                  ))}
                </tbody>
              </table>
            </div>
            <Commands cli={['why', session]} api={`/v1${sessionPath(session, '/requests')}`} />
          </>
        )
      }
    </Shown>
  );
}
