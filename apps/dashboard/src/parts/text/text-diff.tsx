import { diffLines } from 'diff/lib/diff/line.js';
import { type ReactNode, useMemo } from 'react';
import { visibleText } from './plain-text.tsx';
import { TextViewer } from './text-viewer.tsx';

/** Longer texts are shown side by side without a comparison: it would take longer than a glance. */
const mostCharacters = 20_000;

interface DiffProps {
  readonly before: string;
  readonly after: string;
}

interface Piece {
  readonly text: string;
  readonly mark: 'removed' | 'added' | 'same';
}

function piecesOf({ before, after }: DiffProps): Piece[] {
  return diffLines(before, after).map(({ value, added, removed }) => ({
    text: value,
    mark: added ? 'added' : removed ? 'removed' : 'same',
  }));
}

function Side({ name, pieces }: { name: string; pieces: readonly Piece[] }): ReactNode {
  return (
    <div className="side">
      <span className="muted">{name}</span>
      <pre className="text" tabIndex={0} role="region" aria-label={name}>
        {pieces.map(({ text, mark }, index) => (
          <span key={index} className={`mark-${mark}`}>
            {visibleText(text)}
          </span>
        ))}
        {pieces.length === 0 ? <span className="muted">nothing</span> : null}
      </pre>
    </div>
  );
}

function WholeSide({ name, text }: { name: string; text: string }): ReactNode {
  return (
    <div className="side">
      <span className="muted">{name}</span>
      <TextViewer text={text} label={name} />
    </div>
  );
}

/** Before and after, side by side: text nodes, whatever they say. */
export function TextDiff({ before, after }: DiffProps): ReactNode {
  if (before.length + after.length <= mostCharacters) {
    return <Compared before={before} after={after} />;
  }
  return (
    <div className="sides">
      <WholeSide name="Before" text={before} />
      <WholeSide name="After" text={after} />
    </div>
  );
}

function Compared({ before, after }: DiffProps): ReactNode {
  const pieces = useMemo(() => piecesOf({ before, after }), [before, after]);
  return (
    <div className="sides">
      <Side name="Before" pieces={pieces.filter(({ mark }) => mark !== 'added')} />
      <Side
        name="After"
        pieces={pieces.filter(({ mark, text }) => mark !== 'removed' && text !== '')}
      />
    </div>
  );
}
