import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { type RequestDiff, useTimeline } from '../../api/queries.ts';
import { useRequestDiff, useSegment } from '../../api/view-queries.ts';
import { outputOfPointer, outputPath, sessionPath } from '../../parts/addresses.ts';
import { WhyCommands } from '../../parts/controls/commands.tsx';
import { Piece, Pieces } from '../../parts/lists/pieces.tsx';
import { Table } from '../../parts/lists/table.tsx';
import { markOf } from '../../parts/request-marks.ts';
import { Empty, Shown } from '../../parts/states.tsx';
import { countText } from '../../parts/text/format.ts';
import { TextDiff } from '../../parts/text/text-diff.tsx';
import { CacheCard } from './cache-card.tsx';
import { RequestSteps } from './request-steps.tsx';

type PieceOfDiff = RequestDiff['pieces'][number];

const changeNames: Readonly<Record<string, string>> = {
  added: 'Added',
  changed: 'Changed',
  removed: 'Removed',
  kept: 'Unchanged',
};

interface PieceProps {
  readonly session: string;
  readonly number: number;
  readonly piece: PieceOfDiff;
}

/** Both texts whole, as each request showed them. */
function Opened({ session, number, piece }: PieceProps): ReactNode {
  const { segment, why, pointer, change } = piece;
  const now = useSegment(session, segment, { at: number });
  const was = useSegment(session, segment, { at: number - 1, isOn: change !== 'added' });
  const output = outputOfPointer(pointer);
  return (
    <>
      <p className="muted">{why}</p>
      <Shown query={change === 'added' ? now : was}>
        {(first) => (
          <Shown query={now}>
            {(after) => (
              <TextDiff
                before={change === 'added' ? '' : (first.shown ?? '')}
                after={after.shown ?? ''}
              />
            )}
          </Shown>
        )}
      </Shown>
      <div className="actions">
        <Link href={sessionPath(session, `/request/${number}?segment=${segment}`)}>
          Show it in the request
        </Link>
        {output === undefined ? null : <Link href={outputPath(output)}>Open the output</Link>}
      </div>
    </>
  );
}

function ChangedPiece({ session, number, piece }: PieceProps): ReactNode {
  const { change, kind, toolName, before, after, tokensBefore, tokensAfter } = piece;
  return (
    <Piece
      tone={kind}
      name={toolName ?? kind}
      text={before ?? after ?? ''}
      note={changeNames[change]}
      sizes={[tokensBefore, tokensAfter]}
    >
      <Opened session={session} number={number} piece={piece} />
    </Piece>
  );
}

function Sums({ diff }: { diff: RequestDiff }): ReactNode {
  return (
    <section className="card">
      <h2>
        Request {diff.number}: {countText(diff.tokensBefore)} → {countText(diff.tokensAfter)} tokens
      </h2>
      <Table
        columns={[
          ['Pieces'],
          ['Count', 'number'],
          ['Tokens before', 'number'],
          ['After', 'number'],
        ]}
      >
        {diff.sums.map(({ change, pieces, tokensBefore, tokensAfter }) => (
          <tr key={change}>
            <td>{changeNames[change]}</td>
            <td className="number">{countText(pieces)}</td>
            <td className="number">{countText(tokensBefore)}</td>
            <td className="number">{countText(tokensAfter)}</td>
          </tr>
        ))}
        <tr>
          <td>System and tools</td>
          <td />
          <td className="number">{countText(diff.fixedBefore)}</td>
          <td className="number">{countText(diff.fixedAfter)}</td>
        </tr>
      </Table>
      <p className="muted">
        The provider counts each request on its own, so unchanged pieces can differ.
      </p>
    </section>
  );
}

interface PiecesProps {
  readonly session: string;
  readonly number: number;
}

function ChangedPieces({ session, number }: PiecesProps): ReactNode {
  const query = useRequestDiff(session, number);
  return (
    <Shown query={query}>
      {({ pages }) => {
        const [diff] = pages;
        if (diff === undefined) return null;
        const pieces = pages.flatMap((page) => page.pieces);
        return (
          <>
            <div className="columns">
              <Sums diff={diff} />
              <CacheCard session={session} diff={diff} />
            </div>
            <Pieces note="Change">
              {pieces.map((piece) => (
                <ChangedPiece
                  key={`${diff.number} ${piece.segment}`}
                  session={session}
                  number={diff.number}
                  piece={piece}
                />
              ))}
            </Pieces>
            {query.hasNextPage ? (
              <button type="button" onClick={() => void query.fetchNextPage()}>
                Show more pieces
              </button>
            ) : null}
          </>
        );
      }}
    </Shown>
  );
}

/** What a request adds, changes and removes, where it broke the cache, and what that cost. */
export function ChangesView({ session, at }: { session: string; at?: number }): ReactNode {
  const query = useTimeline(session);
  return (
    <Shown query={query}>
      {({ requests, total, imported }) => {
        if (total < 2) {
          return (
            <Empty title="Nothing to compare yet">
              <p>A comparison needs two requests; this session has {countText(total)}.</p>
            </Empty>
          );
        }
        // Without a number: the last request for which something happened.
        const event = requests.findLast(
          (one, index) => index > 0 && markOf(one, requests[index - 1]) !== undefined,
        );
        const number = Math.min(total, Math.max(2, at ?? event?.number ?? total));
        return (
          <>
            <RequestSteps
              session={session}
              number={number}
              first={2}
              last={total}
              name={`Request ${number} of ${total}`}
              pathOf={(one) => `/changes/${one}`}
            >
              <Link href={sessionPath(session, `/request/${number}`)}>Open the request</Link>
            </RequestSteps>
            <ChangedPieces session={session} number={number} />
            <WhyCommands
              session={session}
              isImported={imported !== undefined}
              flags={['--at', String(number), '--left']}
              api={`/v1${sessionPath(session, `/requests/${number}/diff`)}`}
            />
          </>
        );
      }}
    </Shown>
  );
}
