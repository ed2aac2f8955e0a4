import type { ReactNode } from 'react';
import { Link, useLocation } from 'wouter';
import { type TimelineRequest, useTimeline } from '../../api/queries.ts';
import { sessionPath } from '../../parts/addresses.ts';
import { CommandCode, Commands, sessionCommand } from '../../parts/controls/commands.tsx';
import { LiveList } from '../../parts/lists/live-list.tsx';
import type { Column } from '../../parts/lists/table.tsx';
import {
  cachedOf,
  causeNames,
  costOf,
  missNames,
  originOf,
  readPrice,
  writePrice,
} from '../../parts/request-cost.ts';
import { Empty, Shown } from '../../parts/states.tsx';
import { countedText, countText, shareText, timeText } from '../../parts/text/format.ts';
import { useIsPhone } from '../../parts/use-is-phone.ts';
import { CostNotes, useCost } from '../analysis/cost-card.tsx';
import { CostTable } from '../analysis/cost-table.tsx';
import { TimelineChart } from './timeline-chart.tsx';

function ReadBacks({ calls }: { calls: number | undefined }): ReactNode {
  if (calls === undefined) return null;
  return <span className="tag tone-read-back">after {countedText(calls, 'read-back')}</span>;
}

function Happened({ session, request }: { session: string; request: TimelineRequest }): ReactNode {
  const { flush, compaction, cause, isAfterRewind, number, readBacks } = request;
  // What leaves changes what was sent before: that need not be said twice.
  const isSaid = cause === 'messages' && (flush ?? compaction) !== undefined;
  return (
    <>
      {flush === undefined ? null : (
        <Link href={sessionPath(session, `/flush/${number}`)} className="tag tone-flush over-row">
          {countText(flush.beforeTokens - flush.afterTokens)} removed:{' '}
          {causeNames[flush.cause] ?? flush.cause}
        </Link>
      )}
      {compaction === undefined ? null : (
        <Link href={sessionPath(session, '/left')} className="tag tone-compaction over-row">
          compacted to {countText(compaction.afterTokens)}
        </Link>
      )}
      {isAfterRewind === undefined ? null : <span className="tag">after a rewind</span>}
      <ReadBacks calls={readBacks} />
      {cause === undefined || isSaid ? null : (
        <Link href={sessionPath(session, `/changes/${number}`)} className="tag tone-miss over-row">
          cache missed: {missNames[cause] ?? cause}
        </Link>
      )}
    </>
  );
}

interface RowProps {
  readonly session: string;
  readonly request: TimelineRequest;
}

function RequestRow({ session, request }: RowProps): ReactNode {
  const { number, at, tokens } = request;
  return (
    <div className="live-row request-row">
      <span className="number">
        <Link href={sessionPath(session, `/request/${number}`)} className="row-link" data-row>
          {number}
        </Link>
      </span>
      <span className="number">{countText(tokens)}</span>
      <span className="number">{shareText(cachedOf(request), tokens)}</span>
      <span className="muted wide">{originOf(request)}</span>
      <span className="number">{countText(costOf(request))}</span>
      <span className="clip second">
        <Happened session={session} request={request} />
      </span>
      <time className="number muted wide" dateTime={at}>
        {timeText(at)}
      </time>
    </div>
  );
}

const columns: readonly Column[] = [
  ['Request', 'number'],
  ['Tokens', 'number'],
  ['Cached', 'number'],
  ['Sizes', 'wide'],
  ['Cost in tokens', 'number'],
  ['What happened', 'second'],
  ['Time', 'number wide'],
];

function Sums({ requests }: { requests: readonly TimelineRequest[] }): ReactNode {
  const tokens = requests.reduce((sum, request) => sum + request.tokens, 0);
  const cost = requests.reduce((sum, request) => sum + costOf(request), 0);
  return (
    <p className="muted">
      {`${countedText(requests.length, 'request')}, ${countText(tokens)} input tokens. Cost: equivalent to ${countText(cost)} uncached tokens; a cached token counts ${readPrice}, a cache write ${writePrice} (for an hour 2).`}
    </p>
  );
}

interface RequestsProps {
  readonly session: string;
  readonly requests: readonly TimelineRequest[];
}

/** The requests as a chart and as a list, with what they cost. What may become longer is below them: nothing moves as they come. */
function Requests({ session, requests }: RequestsProps): ReactNode {
  const [, navigate] = useLocation();
  const isPhone = useIsPhone();
  const { data: cost } = useCost({ session, requests });
  return (
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
      <CostTable models={cost?.models ?? []} />
      <LiveList
        columns={columns}
        rowClass="request-row"
        rows={requests.toReversed()}
        label="Requests"
        keyOf={({ sequence }) => sequence}
        height={38}
        isMeasured={isPhone}
      >
        {(request) => <RequestRow session={session} request={request} />}
      </LiveList>
      {cost === undefined ? null : <CostNotes session={session} cost={cost} />}
      <Commands
        cli={sessionCommand('show', session)}
        api={`/v1${sessionPath(session, '/requests')}`}
        isOfMode
      />
    </>
  );
}

/** Tokens and cost of each request, and what was done for it. */
export function SessionTimeline({ session }: { session: string }): ReactNode {
  const query = useTimeline(session);
  return (
    <Shown query={query}>
      {({ requests }) =>
        requests.length === 0 ? (
          <Empty title="No requests yet">
            <p>
              Requests from <CommandCode words={['run', 'claude']} />, a context manager or{' '}
              <code>POST /v1{sessionPath(session, '/prepare')}</code> appear here as they are made.
            </p>
          </Empty>
        ) : (
          <Requests session={session} requests={requests} />
        )
      }
    </Shown>
  );
}
