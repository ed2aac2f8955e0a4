import { type ReactNode, useState } from 'react';
import { Link } from 'wouter';
import { type Segment } from '../../api/queries.ts';
import { useSegment } from '../../api/view-queries.ts';
import { outputOfPointer, outputPath } from '../../parts/addresses.ts';
import { Swatch } from '../../parts/charts/swatch.tsx';
import { KeepAsItem } from '../../parts/controls/keep-as-item.tsx';
import { Shown } from '../../parts/states.tsx';
import { countText } from '../../parts/text/format.ts';
import { formNames } from '../../parts/text/kinds.ts';
import { firstLine } from '../../parts/text/plain-text.tsx';
import { TextDiff } from '../../parts/text/text-diff.tsx';

/** What is not shown any more as it was one request before, the largest first. Pure. */
export function leftBetween(before: readonly Segment[], after: readonly Segment[]): Segment[] {
  const known = new Map(before.map((one) => [one.segment, one]));
  const left = after.filter(({ segment, cause, form, tokensAfter }) => {
    const was = known.get(segment);
    if (cause === undefined) return false;
    return was === undefined || was.form !== form || was.tokensAfter !== tokensAfter;
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
  const [isOpen, setOpen] = useState(false);
  const { kind, toolName, form, tokensBefore, tokensAfter, original, shown = '' } = piece;
  return (
    <details
      className="piece"
      onToggle={({ currentTarget }) => {
        setOpen(currentTarget.open);
      }}
    >
      <summary data-row>
        <span className="clip">
          <Swatch tone={kind} />
          <strong>{firstLine(toolName ?? kind)}</strong>
        </span>
        <span className="clip">{firstLine(original ?? shown)}</span>
        <span className="muted wide">{formNames[form] ?? form}</span>
        <span className="number">{countText(tokensBefore)}</span>
        <span className="number">{countText(tokensAfter)}</span>
      </summary>
      {isOpen ? <Opened session={session} at={at} piece={piece} /> : null}
    </details>
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
    <div className="pieces">
      <div className="list-head">
        <span>From</span>
        <span>Begins with</span>
        <span className="wide">What stays</span>
        <span className="number">Before</span>
        <span className="number">After</span>
      </div>
      {leftBetween(before, after).map((piece) => (
        <LeftPiece key={piece.segment} session={session} at={at} piece={piece} />
      ))}
    </div>
  );
}
