import { type ReactNode, useState } from 'react';
import { Link } from 'wouter';
import type { Segment } from '../../api/queries.ts';
import { talkCharacters, useSegment } from '../../api/view-queries.ts';
import { outputOfPointer, outputPath, sessionPath } from '../../parts/addresses.ts';
import { KeepAsItem } from '../../parts/controls/keep-as-item.tsx';
import { Shown } from '../../parts/states.tsx';
import { countedText, countText } from '../../parts/text/format.ts';
import { formNames, showsAll } from '../../parts/text/kinds.ts';
import { firstLine, visibleText } from '../../parts/text/plain-text.tsx';
import { TextViewer } from '../../parts/text/text-viewer.tsx';

interface SaidProps {
  readonly session: string;
  readonly piece: Segment;
}

/** Whether the model no longer sees all of it. */
function isOut({ shown, form, cause }: Segment): boolean {
  return shown === undefined || cause !== undefined || !showsAll(form);
}

/** Why it is out of the window, what stands for it, and the ways back. */
function Out({ session, piece }: SaidProps): ReactNode {
  const { why, form, shown, tokensBefore, tokensAfter, pointer, segment } = piece;
  const output = outputOfPointer(pointer);
  return (
    <p className="talk-out">
      {`${why}. In the window: ${formNames[form] ?? form}, ${countText(tokensAfter)} tokens instead of ${countText(tokensBefore)}`}
      {shown === undefined ? '. ' : `: ${firstLine(shown)} `}
      {output === undefined ? (
        <code>{pointer}</code>
      ) : (
        <Link href={outputPath(output)}>Open the output</Link>
      )}{' '}
      <Link href={sessionPath(session, `/request?segment=${segment}`)}>Show it in the request</Link>
    </p>
  );
}

/** The complete original text. */
function Whole({ session, piece }: SaidProps): ReactNode {
  const query = useSegment(session, piece.segment);
  return (
    <Shown query={query}>
      {({ original, shown = '' }) => (
        <>
          <TextViewer text={original ?? shown} label={`Piece ${piece.segment}`} />
          {isOut(piece) ? (
            <div className="actions">
              <KeepAsItem session={session} text={original ?? shown} />
            </div>
          ) : null}
        </>
      )}
    </Shown>
  );
}

/** How a folded piece begins: a call without the name that stands beside it, thinking without its signature. Pure. */
export function foldedText({ kind, what, toolName = '', original, shown = '' }: Segment): string {
  const text = original ?? shown;
  if (kind === 'call' && text.startsWith(`${toolName} `)) return text.slice(toolName.length);
  return what === 'thinking' && text.startsWith('{') ? 'signature only' : text;
}

/** A call, a result, or what a reader seldom wants: one line until it is opened. */
function Folded({ session, piece }: SaidProps): ReactNode {
  const [isOpen, setOpen] = useState(false);
  const { kind, what, toolName, tokensBefore } = piece;
  const name = { call: 'calls', result: 'returned by', other: what ?? 'other' }[kind as 'call'];
  return (
    <details
      className={kind === 'result' ? 'talk-result' : ''}
      onToggle={({ currentTarget }) => {
        setOpen(currentTarget.open);
      }}
    >
      <summary data-row>
        <span className="muted">{name}</span> <strong>{firstLine(toolName ?? '')}</strong>{' '}
        <span>{firstLine(foldedText(piece))}</span>{' '}
        <span className="muted number">{countedText(tokensBefore, 'token')}</span>
      </summary>
      {isOpen ? <Whole session={session} piece={piece} /> : null}
    </details>
  );
}

/** What the user or the model wrote; the rest of a long text is one press away. */
function Text({ session, piece }: SaidProps): ReactNode {
  const [isWhole, setWhole] = useState(false);
  const { original, shown = '' } = piece;
  const text = original ?? shown;
  const isCut = text.length > talkCharacters;
  if (isWhole) return <Whole session={session} piece={piece} />;
  return (
    <>
      <p className="talk-text">{visibleText(text)}</p>
      {isCut || isOut(piece) ? (
        <button
          type="button"
          data-row
          onClick={() => {
            setWhole(true);
          }}
        >
          {isCut ? 'Read all' : 'Open'}
        </button>
      ) : null}
    </>
  );
}

/** One piece of a conversation. What is out of the window is grey, in its place. */
export function Said(props: SaidProps): ReactNode {
  const { piece } = props;
  const isText = piece.kind === 'user' || piece.kind === 'assistant';
  const out = isOut(piece);
  return (
    <div className={out ? 'is-out' : ''}>
      {isText ? <Text {...props} /> : <Folded {...props} />}
      {out ? <Out {...props} /> : null}
    </div>
  );
}
