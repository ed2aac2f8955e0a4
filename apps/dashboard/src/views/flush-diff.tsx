import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { Link } from 'wouter';
import { useApi } from '../api/api-context.ts';
import { done } from '../api/ask.ts';
import { type Segment, type TimelineRequest, useTimeline, useView } from '../api/queries.ts';
import { outputOfPointer, outputPath, sessionPath } from '../parts/addresses.ts';
import { Commands } from '../parts/commands.tsx';
import { Confirm } from '../parts/confirm.tsx';
import { countText } from '../parts/format.ts';
import { KeepAsItem } from '../parts/keep-as-item.tsx';
import { firstLine } from '../parts/plain-text.tsx';
import { causeNames } from '../parts/request-cost.ts';
import { Empty, Shown } from '../parts/states.tsx';
import { TextDiff } from '../parts/text-diff.tsx';

/** What is not shown any more as it was one request before. Pure. */
export function leftBetween(before: readonly Segment[], after: readonly Segment[]): Segment[] {
  const known = new Map(before.map((one) => [one.segment, one]));
  return after.filter(({ segment, cause, form, tokensAfter }) => {
    const was = known.get(segment);
    if (cause === undefined) return false;
    return was === undefined || was.form !== form || was.tokensAfter !== tokensAfter;
  });
}

function LeftPiece({ session, piece }: { session: string; piece: Segment }): ReactNode {
  const [isOpen, setOpen] = useState(false);
  const { kind, toolName, why, tokensBefore, tokensAfter, original = '', shown = '' } = piece;
  const output = outputOfPointer(piece.pointer);
  return (
    <details
      className="piece"
      onToggle={({ currentTarget }) => {
        setOpen(currentTarget.open);
      }}
    >
      <summary data-row>
        <span className={`swatch tone-${kind}`} />
        <span className="piece-name">{firstLine(toolName ?? kind)}</span>
        <span className="clip">{firstLine(original === '' ? shown : original)}</span>
        <span className="number">
          {countText(tokensBefore)} → {countText(tokensAfter)}
        </span>
      </summary>
      <p className="muted">{why}</p>
      {isOpen ? <TextDiff before={original === '' ? shown : original} after={shown} /> : null}
      <div className="actions">
        {output === undefined ? (
          <code className="muted">{piece.pointer}</code>
        ) : (
          <Link href={outputPath(output)}>Read it whole</Link>
        )}
        {isOpen ? <KeepAsItem session={session} text={original === '' ? shown : original} /> : null}
      </div>
    </details>
  );
}

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

function Pieces({ session, number }: { session: string; number: number }): ReactNode {
  const after = useView(session, { at: number, characters: 4000 });
  const before = useView(session, { at: Math.max(1, number - 1), characters: 1 });
  return (
    <Shown query={after}>
      {({ segments }) => {
        const known = number === 1 ? [] : before.data?.segments;
        const left = known === undefined ? [] : leftBetween(known, segments);
        return (
          <div className="pieces">
            {left.map((piece) => (
              <LeftPiece key={piece.segment} session={session} piece={piece} />
            ))}
          </div>
        );
      }}
    </Shown>
  );
}

/** What left for a request, why, and how it comes back. */
export function FlushDiff({ session, number }: { session: string; number: number }): ReactNode {
  const query = useTimeline(session);
  return (
    <Shown query={query}>
      {({ requests }) => {
        const request = requests[number - 1];
        const before = requests[number - 2];
        if (request?.flush === undefined) {
          return (
            <Empty title="Nothing left for this request">
              <Link href={sessionPath(session, '/left')}>What left, and when</Link>
            </Empty>
          );
        }
        const { cause, edits, beforeTokens, afterTokens } = request.flush;
        return (
          <>
            <div className="heading">
              <h2>
                Request {number}: {countText(beforeTokens)} → {countText(afterTokens)} tokens
              </h2>
              {before === undefined ? null : (
                <BringBack session={session} number={number} before={before} />
              )}
            </div>
            <p>
              {edits} pieces changed, because {causeNames[cause] ?? cause}. Each can be read whole.
            </p>
            <Pieces session={session} number={number} />
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
