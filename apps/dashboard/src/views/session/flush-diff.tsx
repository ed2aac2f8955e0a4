import { useQueryClient } from '@tanstack/react-query';
import { Fragment, type ReactNode } from 'react';
import { Link } from 'wouter';
import { useApi } from '../../api/api-context.ts';
import { done } from '../../api/ask.ts';
import { type TimelineRequest, useTimeline, useView, type View } from '../../api/queries.ts';
import { sessionPath } from '../../parts/addresses.ts';
import { Bar } from '../../parts/charts/stacked-bar.tsx';
import { Legend } from '../../parts/charts/swatch.tsx';
import { Commands } from '../../parts/controls/commands.tsx';
import { Confirm } from '../../parts/controls/confirm.tsx';
import { causeNames } from '../../parts/request-cost.ts';
import { Empty, Loading, Shown } from '../../parts/states.tsx';
import { countText } from '../../parts/text/format.ts';
import { windowParts, windowTones } from '../../parts/text/kinds.ts';
import { LeftPieces } from './left-pieces.tsx';

interface BackProps {
  readonly session: string;
  readonly number: number;
  readonly before: TimelineRequest;
}

function BringBack({ session, number, before }: BackProps): ReactNode {
  const { client } = useApi();
  const queries = useQueryClient();
  return (
    <Confirm
      name="Bring all of it back"
      question={`Bring the window back to request ${before.number}?`}
      act="Bring it back"
      onConfirm={async () => {
        const params = { path: { session } };
        const body = { to: before.sequence };
        await done(client.POST('/v1/sessions/{session}/rewind', { params, body }));
        await queries.invalidateQueries({ queryKey: ['session', session] });
      }}
    >
      <p>
        The view becomes that of request {before.number} again, byte for byte. What came with
        request {number} and later is not in the view any more; it stays in the log, and another
        rewind brings it back. An agent that goes on sends its own conversation.
      </p>
    </Confirm>
  );
}

interface CompareProps {
  readonly before: View | undefined;
  readonly after: View;
}

/** The window for the request before and for this one, on one scale. */
function Compare({ before, after }: CompareProps): ReactNode {
  const views = before === undefined ? [after] : [before, after];
  const whole = Math.max(...views.map(({ windowTokens }) => windowTokens));
  return (
    <section className="card">
      <div className="compare">
        {views.map((view) => (
          <Fragment key={view.number}>
            <span>Request {view.number}</span>
            <Bar
              label={`The window for request ${view.number}, by kind`}
              parts={windowParts(view)}
              whole={whole}
              limit={view.limitTokens}
            />
            <span className="number">{countText(view.tokens)}</span>
          </Fragment>
        ))}
      </div>
      <Legend tones={windowTones} />
    </section>
  );
}

interface WhatLeftProps {
  readonly session: string;
  readonly number: number;
  readonly flush: NonNullable<TimelineRequest['flush']>;
}

function WhatLeft({ session, number, flush }: WhatLeftProps): ReactNode {
  const isFirst = number === 1;
  const query = useView(session, { at: number });
  const at = Math.max(1, number - 1);
  const before = useView(session, { at, isOn: !isFirst });
  // What was kept of another request, while this one is read, is not this one.
  const isOther = query.isPlaceholderData || before.isPlaceholderData;
  if (isOther || (!isFirst && before.data === undefined)) return <Loading />;
  return (
    <Shown query={query}>
      {(after) => (
        <>
          <Compare before={before.data} after={after} />
          <p>
            {countText(flush.edits)} pieces changed, because{' '}
            {causeNames[flush.cause] ?? flush.cause}. Each can be read whole or restored alone.
          </p>
          <LeftPieces
            session={session}
            at={number}
            before={before.data?.segments ?? []}
            after={after.segments}
          />
        </>
      )}
    </Shown>
  );
}

/** What left for a request, why, and how it comes back. */
export function FlushDiff({ session, number }: { session: string; number: number }): ReactNode {
  const query = useTimeline(session);
  return (
    <Shown query={query}>
      {({ requests, imported }) => {
        const request = requests[number - 1];
        const before = requests[number - 2];
        if (request?.flush === undefined) {
          return (
            <Empty title="Nothing left for this request">
              <Link href={sessionPath(session, '/left')}>All that was removed from context</Link>
            </Empty>
          );
        }
        const { beforeTokens, afterTokens } = request.flush;
        return (
          <>
            <div className="heading">
              <h2>
                Request {number}: {countText(beforeTokens)} → {countText(afterTokens)} tokens
              </h2>
              {before === undefined || imported !== undefined ? null : (
                <BringBack session={session} number={number} before={before} />
              )}
            </div>
            <WhatLeft session={session} number={number} flush={request.flush} />
            <Commands
              cli={['why', session, '--at', String(number), '--left']}
              api={`/v1${sessionPath(session, `/view?at=${number}`)}`}
            />
          </>
        );
      }}
    </Shown>
  );
}
