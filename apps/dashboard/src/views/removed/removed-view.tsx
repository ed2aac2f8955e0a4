import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { useCompactions, useTimeline } from '../../api/queries.ts';
import { useView } from '../../api/view-queries.ts';
import { sessionPath } from '../../parts/addresses.ts';
import { Swatch } from '../../parts/charts/swatch.tsx';
import { WhyCommands } from '../../parts/controls/commands.tsx';
import { LiveList } from '../../parts/lists/live-list.tsx';
import type { Column } from '../../parts/lists/table.tsx';
import { causeNames } from '../../parts/request-cost.ts';
import { Empty, Shown } from '../../parts/states.tsx';
import { countText, removedText, timeText } from '../../parts/text/format.ts';
import { firstLine } from '../../parts/text/plain-text.tsx';
import { useIsPhone } from '../../parts/use-is-phone.ts';
import { LedgerCard } from './ledger-card.tsx';

interface Removal {
  /** Missing where the transcript tells none. */
  readonly at: string | undefined;
  readonly address: string;
  readonly name: string;
  readonly why: string;
  readonly tone: string;
  readonly before: number;
  readonly after: number;
}

/** Flushes and compactions of the window, by request, and the compactions of the document. */
function useRemovals(session: string): Removal[] {
  const requests = useTimeline(session).data?.requests ?? [];
  const compactions = useCompactions(session).data?.compactions ?? [];
  const flushes = requests.flatMap(({ flush, number, at }): Removal[] =>
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
  const inWindow = requests.flatMap(({ compaction, number, at }): Removal[] =>
    compaction === undefined
      ? []
      : [
          {
            at,
            address: sessionPath(session, `/request/${number}`),
            name: `Compaction for request ${number}`,
            why: 'the oldest messages were summarized',
            tone: 'compaction',
            before: compaction.beforeTokens,
            after: compaction.afterTokens,
          },
        ],
  );
  const inDocument = compactions.map(
    ({ sequence, at, strategy, state, tokensBefore, tokensAfter }): Removal => ({
      at,
      address: sessionPath(session, `/compaction/${sequence}`),
      name: `Compaction ${sequence} of the document`,
      why: state === 'undone' ? 'undone' : `summarized by ${firstLine(strategy)}`,
      tone: 'compaction',
      before: tokensBefore,
      after: tokensAfter,
    }),
  );
  return [...flushes, ...inWindow, ...inDocument].sort((left, right) =>
    (right.at ?? '').localeCompare(left.at ?? ''),
  );
}

function RemovalRow({ removal }: { removal: Removal }): ReactNode {
  const { at, address, name, why, tone, before, after } = removal;
  return (
    <div className="live-row left-row">
      <span className="clip">
        <Swatch tone={tone} />
        <Link href={address} className="row-link" data-row>
          <strong>{name}</strong>
        </Link>
      </span>
      <span className="clip second">{why}</span>
      <span className="number wide">{countText(before)}</span>
      <span className="number wide">{countText(after)}</span>
      <span className="number">{removedText(before, after)}</span>
      <time className="number muted wide" dateTime={at}>
        {timeText(at)}
      </time>
    </div>
  );
}

const columns: readonly Column[] = [
  ['What'],
  ['Why', 'second'],
  ['Before', 'number wide'],
  ['After', 'number wide'],
  ['Removed', 'number'],
  ['Time', 'number wide'],
];

function Removals({ session }: { session: string }): ReactNode {
  const removals = useRemovals(session);
  const isPhone = useIsPhone();
  if (removals.length === 0) return null;
  return (
    <LiveList
      columns={columns}
      rowClass="left-row"
      rows={removals}
      label="Removed from context"
      keyOf={({ address }) => address}
      height={38}
      isMeasured={isPhone}
    >
      {(removal) => <RemovalRow removal={removal} />}
    </LiveList>
  );
}

/** Everything that was removed from the context: the ledger, then each flush and compaction, newest first. */
export function RemovedView({ session }: { session: string }): ReactNode {
  const query = useView(session);
  const timeline = useTimeline(session);
  return (
    <Shown query={query}>
      {(view) => {
        const isSame = view.kinds.every((kind) => kind.tokensBefore === kind.tokensAfter);
        const isChanged = timeline.data?.requests.some((one) => one.flush ?? one.compaction);
        if (isSame && isChanged !== true) {
          return (
            <Empty title="Nothing has been removed">
              <p>
                Every message of this conversation is in view as it arrived. Flushes and compactions
                appear here as they happen, each with what it removed and how to bring it back.
              </p>
            </Empty>
          );
        }
        return (
          <>
            <LedgerCard view={view} />
            <WhyCommands
              session={session}
              isImported={view.imported !== undefined}
              flags={['--left']}
              api={`/v1${sessionPath(session, '/requests')}`}
            />
            <Removals session={session} />
          </>
        );
      }}
    </Shown>
  );
}
