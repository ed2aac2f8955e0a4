import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { useCompactions, useTimeline } from '../../api/queries.ts';
import { sessionPath } from '../../parts/addresses.ts';
import { Swatch } from '../../parts/charts/swatch.tsx';
import { Commands } from '../../parts/controls/commands.tsx';
import { LiveList } from '../../parts/lists/live-list.tsx';
import type { Column } from '../../parts/lists/table.tsx';
import { causeNames } from '../../parts/request-cost.ts';
import { Empty, Shown } from '../../parts/states.tsx';
import { countText, timeText } from '../../parts/text/format.ts';
import { firstLine } from '../../parts/text/plain-text.tsx';

interface Leaving {
  readonly at: string;
  readonly address: string;
  readonly name: string;
  readonly why: string;
  readonly tone: string;
  readonly before: number;
  readonly after: number;
}

/** Flushes and compactions of the window, by request, and the compactions of the document. */
function useLeavings(session: string): Leaving[] {
  const requests = useTimeline(session).data?.requests ?? [];
  const compactions = useCompactions(session).data?.compactions ?? [];
  const flushes = requests.flatMap(({ flush, number, at }): Leaving[] =>
    flush === undefined
      ? []
      : [
          {
            at,
            address: sessionPath(session, `/flush/${number}`),
            name: `Flush for request ${number}`,
            why: causeNames[flush.cause] ?? flush.cause,
            tone: 'flush',
            before: flush.beforeTokens,
            after: flush.afterTokens,
          },
        ],
  );
  const inWindow = requests.flatMap(({ compaction, number, at }): Leaving[] =>
    compaction === undefined
      ? []
      : [
          {
            at,
            address: sessionPath(session, `/request/${number}`),
            name: `Compaction for request ${number}`,
            why: 'the oldest messages were summed up',
            tone: 'compaction',
            before: compaction.beforeTokens,
            after: compaction.afterTokens,
          },
        ],
  );
  const inDocument = compactions.map(
    ({ sequence, at, strategy, state, tokensBefore, tokensAfter }): Leaving => ({
      at,
      address: sessionPath(session, `/compaction/${sequence}`),
      name: `Compaction ${sequence} of the document`,
      why: state === 'undone' ? 'undone' : `summed up by ${firstLine(strategy)}`,
      tone: 'compaction',
      before: tokensBefore,
      after: tokensAfter,
    }),
  );
  return [...flushes, ...inWindow, ...inDocument].sort((left, right) =>
    right.at.localeCompare(left.at),
  );
}

function LeavingRow({ leaving }: { leaving: Leaving }): ReactNode {
  const { at, address, name, why, tone, before, after } = leaving;
  return (
    <div className="live-row left-row">
      <span className="clip">
        <Swatch tone={tone} />
        <Link href={address} className="row-link" data-row>
          <strong>{name}</strong>
        </Link>
      </span>
      <span className="clip wide">{why}</span>
      <span className="number wide">{countText(before)}</span>
      <span className="number wide">{countText(after)}</span>
      <span className="number">{countText(before - after)}</span>
      <time className="number muted wide" dateTime={at}>
        {timeText(at)}
      </time>
    </div>
  );
}

const columns: readonly Column[] = [
  ['What'],
  ['Why', 'wide'],
  ['Before', 'number wide'],
  ['After', 'number wide'],
  ['Left', 'number'],
  ['At', 'number wide'],
];

function Sums({ leavings }: { leavings: readonly Leaving[] }): ReactNode {
  const left = leavings.reduce((sum, { before, after }) => sum + before - after, 0);
  return (
    <p>
      {`${countText(left)} tokens left, ${leavings.length} ${leavings.length === 1 ? 'time' : 'times'}. None of it is lost: open a line to see each piece with its reason, read it whole, restore one, or bring all of it back.`}
    </p>
  );
}

/** Everything that left the window, newest first, and why. */
export function LeftView({ session }: { session: string }): ReactNode {
  const query = useTimeline(session);
  const leavings = useLeavings(session);
  return (
    <Shown query={query}>
      {() =>
        leavings.length === 0 ? (
          <Empty title="Nothing has left the window">
            <p>
              Everything that came in is still in view. Flushes and compactions appear here as they
              happen, each with what left and how it comes back.
            </p>
          </Empty>
        ) : (
          <>
            <Sums leavings={leavings} />
            <LiveList
              columns={columns}
              rowClass="left-row"
              rows={leavings}
              label="Removed from context"
              keyOf={({ address }) => address}
              height={38}
            >
              {(leaving) => <LeavingRow leaving={leaving} />}
            </LiveList>
            <Commands
              cli={['why', session, '--left']}
              api={`/v1${sessionPath(session, '/requests')}`}
            />
          </>
        )
      }
    </Shown>
  );
}
