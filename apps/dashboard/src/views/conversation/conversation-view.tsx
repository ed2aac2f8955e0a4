import { type ReactNode, useState } from 'react';
import { Link } from 'wouter';
import { type Segment, type TimelineRequest, useTimeline } from '../../api/queries.ts';
import { useConversation } from '../../api/view-queries.ts';
import { sessionPath, useAddressState } from '../../parts/addresses.ts';
import { Swatch } from '../../parts/charts/swatch.tsx';
import { Commands, sessionCommand } from '../../parts/controls/commands.tsx';
import { Share } from '../../parts/controls/share.tsx';
import { VirtualRows } from '../../parts/lists/virtual-rows.tsx';
import { Empty, Shown } from '../../parts/states.tsx';
import { countedText } from '../../parts/text/format.ts';
import { Said } from './said.tsx';

interface Row {
  readonly piece: Segment;
  /** Whether another message begins with it. */
  readonly isFirst: boolean;
  /** The request that it answers, or that carried it first. */
  readonly request: number | undefined;
}

const isAnswer = ({ kind, what }: Segment): boolean =>
  kind === 'assistant' || kind === 'call' || what === 'thinking';

/** The request that a piece of the model answers, or that carried another piece first. Pure. */
export function requestOf(
  piece: Segment,
  requests: readonly Pick<TimelineRequest, 'number' | 'messages'>[],
): number | undefined {
  const found = isAnswer(piece)
    ? requests.findLast(({ messages }) => messages <= piece.message)
    : requests.find(({ messages }) => messages > piece.message);
  return found?.number;
}

function rowsOf(pieces: readonly Segment[], requests: readonly TimelineRequest[]): Row[] {
  return pieces.map((piece, index) => ({
    piece,
    isFirst: pieces[index - 1]?.message !== piece.message,
    request: requestOf(piece, requests),
  }));
}

function Head({ session, row }: { session: string; row: Row }): ReactNode {
  const { piece, request } = row;
  const isModel = isAnswer(piece);
  const name = isModel ? 'Assistant' : piece.kind === 'result' ? 'Tools' : 'User';
  return (
    <h2 className="talk-head">
      <Swatch tone={isModel ? 'assistant' : piece.kind} />
      {name}
      {request === undefined ? null : (
        <Link href={sessionPath(session, `/request/${request}`)} className="muted">
          {isModel ? 'answers' : 'first in'} request {request}
        </Link>
      )}
    </h2>
  );
}

interface JumpProps {
  readonly total: number;
  readonly asked: string;
  readonly onJump: (request: string | undefined) => void;
}

/** Goes to a request: what it carried last, its answer, and all that comes after. */
function Jump({ total, asked, onJump }: JumpProps): ReactNode {
  const [number, setNumber] = useState(asked);
  return (
    <form
      className="filters"
      onSubmit={(event) => {
        event.preventDefault();
        onJump(number);
      }}
    >
      <label>
        Go to request{' '}
        <input
          type="number"
          min={1}
          max={total}
          value={number}
          onChange={({ target }) => {
            setNumber(target.value);
          }}
        />
      </label>
      <button type="submit">Go</button>
      {asked === '' ? null : (
        <button
          type="button"
          onClick={() => {
            setNumber('');
            onJump(undefined);
          }}
        >
          From the beginning
        </button>
      )}
      <span className="muted">
        {asked === '' ? countedText(total, 'request') : `From request ${asked} on`}. Grey: no longer
        in the window.
      </span>
    </form>
  );
}

interface TalkProps {
  readonly session: string;
  readonly requests: readonly TimelineRequest[];
  /** The message to begin at. */
  readonly message: number;
}

function Talk({ session, requests, message }: TalkProps): ReactNode {
  const query = useConversation(session, message);
  return (
    <Shown query={query}>
      {({ pages }) => {
        const rows = rowsOf(
          pages.flatMap(({ segments }) => segments),
          requests,
        );
        if (rows.length === 0) {
          return (
            <Empty title="No messages here">
              <p>The messages of this session appear here as they arrive.</p>
            </Empty>
          );
        }
        return (
          <div className="virtual-list">
            <VirtualRows
              key={message}
              rows={rows}
              label="Conversation"
              keyOf={({ piece }) => piece.segment}
              height={80}
              className="is-segments"
              isMeasured
              onEnd={() => {
                if (query.hasNextPage && !query.isFetchingNextPage) void query.fetchNextPage();
              }}
            >
              {(row) => (
                <article className="talk">
                  {row.isFirst ? <Head session={session} row={row} /> : null}
                  <Said session={session} piece={row.piece} />
                </article>
              )}
            </VirtualRows>
          </div>
        );
      }}
    </Shown>
  );
}

/** The session as one reads it: turns, calls with their results folded, and what is out of the window in its place. */
export function ConversationView({ session }: { session: string }): ReactNode {
  const query = useTimeline(session);
  const [asked, setAsked] = useAddressState('from');
  return (
    <Shown query={query}>
      {({ requests, total }) => {
        const answered = requests.find(({ number }) => String(number) === asked)?.messages ?? 0;
        return (
          <>
            {total === 0 ? null : <Jump total={total} asked={asked} onJump={setAsked} />}
            <div className="actions">
              <Share session={session} />
            </div>
            <Talk session={session} requests={requests} message={Math.max(0, answered - 1)} />
            <Commands
              cli={sessionCommand('show', session)}
              api={`/v1${sessionPath(session, '/view')}`}
              isOfMode
            />
          </>
        );
      }}
    </Shown>
  );
}
