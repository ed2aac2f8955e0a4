import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { type Segment } from '../../api/queries.ts';
import { useSegment } from '../../api/view-queries.ts';
import { outputOfPointer, outputPath } from '../../parts/addresses.ts';
import { KeepAsItem } from '../../parts/controls/keep-as-item.tsx';
import { Piece, Pieces } from '../../parts/lists/pieces.tsx';
import { Shown } from '../../parts/states.tsx';
import { formNames } from '../../parts/text/kinds.ts';
import { TextDiff } from '../../parts/text/text-diff.tsx';

/** What is shown of a piece, in millionths: its sizes are those of a request, which its provider may count otherwise. */
const shareOf = ({ tokensBefore, tokensAfter }: Segment): number =>
  Math.round((1e6 * tokensAfter) / (tokensBefore || 1));

/** What is not shown any more as it was one request before, the largest first. Pure. */
export function leftBetween(before: readonly Segment[], after: readonly Segment[]): Segment[] {
  const known = new Map(before.map((one) => [one.segment, one]));
  const left = after.filter((one) => {
    const { segment, cause, form } = one;
    const was = known.get(segment);
    if (cause === undefined) return false;
    return was === undefined || was.form !== form || shareOf(was) !== shareOf(one);
  });
  const lost = ({ tokensBefore, tokensAfter }: Segment): number => tokensBefore - tokensAfter;
  return left.sort((one, other) => lost(other) - lost(one));
}

interface PieceProps {
  readonly session: string;
  /** The request, from 1. */
  readonly at: number;
  readonly piece: Segment;
}

function Opened({ session, at, piece }: PieceProps): ReactNode {
  const { why, pointer, segment } = piece;
  const query = useSegment(session, segment, { at });
  const output = outputOfPointer(pointer);
  return (
    <>
      <p className="muted">{why}</p>
      <Shown query={query}>
        {({ original, shown = '' }) => (
          <>
            <TextDiff before={original ?? shown} after={shown} />
            <div className="actions">
              {output === undefined ? (
                <code className="muted">{pointer}</code>
              ) : (
                <Link href={outputPath(output)}>Open the output</Link>
              )}
              <KeepAsItem session={session} text={original ?? shown} />
            </div>
          </>
        )}
      </Shown>
    </>
  );
}

function LeftPiece({ session, at, piece }: PieceProps): ReactNode {
  const { kind, toolName, form, tokensBefore, tokensAfter, original, shown = '' } = piece;
  return (
    <Piece
      tone={kind}
      name={toolName ?? kind}
      text={original ?? shown}
      note={formNames[form] ?? form}
      sizes={[tokensBefore, tokensAfter]}
    >
      <Opened session={session} at={at} piece={piece} />
    </Piece>
  );
}

interface PiecesProps {
  readonly session: string;
  readonly at: number;
  readonly before: readonly Segment[];
  readonly after: readonly Segment[];
}

/** Each piece that left, before and after, with its reason and its way back. */
export function LeftPieces({ session, at, before, after }: PiecesProps): ReactNode {
  return (
    <Pieces note="What stays">
      {leftBetween(before, after).map((piece) => (
        <LeftPiece key={piece.segment} session={session} at={at} piece={piece} />
      ))}
    </Pieces>
  );
}
