import { useQueryClient } from '@tanstack/react-query';
import { Fragment, type ReactNode, useState } from 'react';
import { Link } from 'wouter';
import { useApi } from '../../api/api-context.ts';
import { done } from '../../api/ask.ts';
import { type TimelineRequest, useTimeline, type View } from '../../api/queries.ts';
import { useView } from '../../api/view-queries.ts';
import { sessionPath } from '../../parts/addresses.ts';
import { Bar } from '../../parts/charts/stacked-bar.tsx';
import { Legend } from '../../parts/charts/swatch.tsx';
import { WhyCommands } from '../../parts/controls/commands.tsx';
import { Confirm } from '../../parts/controls/confirm.tsx';
import { causeNames } from '../../parts/request-cost.ts';
import { Empty, Loading, Shown } from '../../parts/states.tsx';
import { countedText, countText } from '../../parts/text/format.ts';
import { windowParts, windowTones } from '../../parts/text/kinds.ts';
import { LeftPieces } from './left-pieces.tsx';

interface RewindProps {
  readonly session: string;
  readonly to: TimelineRequest;
  /** On its buttons. */
  readonly name: string;
  readonly act: string;
  readonly onRewound?: () => void;
  readonly children?: ReactNode;
}

/** Takes the window back to a request, also to one that an earlier rewind dropped. */
function Rewind({ session, to, name, act, onRewound, children }: RewindProps): ReactNode {
  const { client } = useApi();
  const queries = useQueryClient();
  const rewind = async (): Promise<void> => {
    const params = { path: { session } };
    const body = { to: to.sequence };
    await done(client.POST('/v1/sessions/{session}/rewind', { params, body }));
    await queries.invalidateQueries({ queryKey: ['session', session] });
    onRewound?.();
  };
  return (
    <Confirm name={name} question={`Rewind to request ${to.number}?`} act={act} onConfirm={rewind}>
      <p>
        The window returns to request {to.number}, byte for byte. {children}
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
            {countedText(flush.edits, 'piece')} changed because{' '}
            {causeNames[flush.cause] ?? flush.cause}; without these changes the request would have
            had {countText(flush.beforeTokens)} tokens. Each can be read in full or restored on its
            own.
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

interface BackProps {
  readonly session: string;
  readonly number: number;
  readonly requests: readonly TimelineRequest[];
  readonly onRewound: (dropped: TimelineRequest) => void;
}

/** The way back to before a flush, and what it drops. */
function Back({ session, number, requests, onRewound }: BackProps): ReactNode {
  const before = requests[number - 2];
  const last = requests.at(-1);
  if (before === undefined || last === undefined) return null;
  return (
    <Rewind
      session={session}
      to={before}
      name="Rewind to before this flush"
      act="Rewind"
      onRewound={() => {
        onRewound(last);
      }}
    >
      {number === last.number
        ? `Request ${number} leaves`
        : `Requests ${number} to ${last.number} leave`}{' '}
      the window with everything that arrived in them. Undo brings them back. A running agent keeps
      sending its own conversation.
    </Rewind>
  );
}

/** What left for a request, why, and how it comes back. */
export function FlushDiff({ session, number }: { session: string; number: number }): ReactNode {
  const query = useTimeline(session);
  const [dropped, setDropped] = useState<TimelineRequest>();
  return (
    <Shown query={query}>
      {({ requests, imported }) => {
        const request = requests[number - 1];
        if (request === undefined && dropped !== undefined) {
          return (
            <Empty title="Rewound">
              <Rewind session={session} to={dropped} name="Undo" act="Undo" />
            </Empty>
          );
        }
        if (request?.flush === undefined) {
          return (
            <Empty title="Nothing was removed for this request">
              <Link href={sessionPath(session, '/left')}>Everything removed from context</Link>
            </Empty>
          );
        }
        const { beforeTokens, afterTokens } = request.flush;
        const isImported = imported !== undefined;
        return (
          <>
            <div className="heading">
              <h2>
                Request {number}: {countText(beforeTokens - afterTokens)} tokens removed
              </h2>
              {isImported ? null : (
                <Back {...{ session, number, requests }} onRewound={setDropped} />
              )}
            </div>
            <WhatLeft session={session} number={number} flush={request.flush} />
            <WhyCommands
              {...{ session, isImported }}
              flags={['--at', String(number), '--left']}
              api={`/v1${sessionPath(session, `/view?at=${number}`)}`}
            />
          </>
        );
      }}
    </Shown>
  );
}
