import { type ReactNode, useState } from 'react';
import { Swatch } from '../charts/swatch.tsx';
import { countText } from '../text/format.ts';
import { firstLine } from '../text/plain-text.tsx';

interface PieceProps {
  readonly tone: string;
  /** Who said it, or which tool. */
  readonly name: string;
  /** Its text: the beginning is shown. */
  readonly text: string;
  /** What became of it. */
  readonly note?: string | undefined;
  /** Tokens before and after; left out where only the text counts. */
  readonly sizes?: readonly [before: number, after: number];
  /** What it shows once it is open. */
  readonly children: ReactNode;
}

/** A piece of a conversation that opens. */
export function Piece({ tone, name, text, note, sizes, children }: PieceProps): ReactNode {
  const [isOpen, setOpen] = useState(false);
  return (
    <details
      className="piece"
      onToggle={({ currentTarget }) => {
        setOpen(currentTarget.open);
      }}
    >
      <summary data-row>
        <span className="clip">
          <Swatch tone={tone} />
          <strong>{firstLine(name)}</strong>
        </span>
        <span className="clip">{firstLine(text)}</span>
        {note === undefined ? null : <span className="muted wide">{note}</span>}
        {sizes?.map((tokens, place) => (
          <span key={place} className="number">
            {countText(tokens)}
          </span>
        ))}
      </summary>
      {isOpen ? children : null}
    </details>
  );
}

/** Pieces with their sizes before and after. `note`: what the note of each says. */
export function Pieces({ note, children }: { note: string; children: ReactNode }): ReactNode {
  return (
    <div className="pieces">
      <div className="list-head">
        <span>From</span>
        <span>Begins with</span>
        <span className="wide">{note}</span>
        <span className="number">Before</span>
        <span className="number">After</span>
      </div>
      {children}
    </div>
  );
}
