import { type ReactNode, useMemo, useState } from 'react';
import { saveFile } from '../controls/save-file.ts';
import { VirtualRows } from '../lists/virtual-rows.tsx';
import { countedText, countText } from './format.ts';
import { PlainText, visibleText } from './plain-text.tsx';
import { rowsOf, type TextRow } from './text-rows.ts';

/** Shorter texts are one element: the page shows them whole without help. */
const shortCharacters = 4000;
const shortLines = 60;

interface ViewerProps {
  readonly text: string;
  readonly label: string;
  /** Line to begin at, from 1. */
  readonly from?: number;
  /** Only lines that hold this, and what to do when it changes; the viewer remembers it otherwise. */
  readonly filter?: readonly [string, (words: string | undefined) => void];
  /** Shows the tools even of a short text, in the height of the screen. */
  readonly isLong?: boolean;
}

function Copy({ text }: { text: string }): ReactNode {
  const [isCopied, setCopied] = useState(false);
  return (
    <button
      type="button"
      onClick={() => {
        void navigator.clipboard.writeText(text).then(() => {
          setCopied(true);
        });
      }}
    >
      {isCopied ? 'Copied' : 'Copy all'}
    </button>
  );
}

function Row({ row, isHere }: { row: TextRow; isHere: boolean }): ReactNode {
  return (
    <div className={isHere ? 'text-row is-here' : 'text-row'}>
      <span className="number muted">{row.part === 0 ? row.line : '↪'}</span>
      <span>{visibleText(row.text)}</span>
    </div>
  );
}

function countOf(rows: readonly TextRow[]): number {
  return rows.filter(({ part }) => part === 0).length;
}

/** The rows of the lines that hold the words, in any letter case; all of them without words. */
function rowsHolding(text: string, rows: readonly TextRow[], words: string): readonly TextRow[] {
  const looked = words.toLowerCase();
  if (looked === '') return rows;
  const lines = new Set<number>();
  for (const [index, line] of text.split('\n').entries()) {
    if (line.toLowerCase().includes(looked)) lines.add(index + 1);
  }
  return rows.filter(({ line }) => lines.has(line));
}

interface ToolsProps extends Pick<ViewerProps, 'text' | 'label'> {
  readonly words: string;
  readonly setWords: (words: string | undefined) => void;
  readonly isWrapped: boolean;
  readonly setWrapped: (isWrapped: boolean) => void;
}

function Tools({ text, label, ...state }: ToolsProps): ReactNode {
  const { words, setWords, isWrapped, setWrapped } = state;
  return (
    <>
      <input
        type="search"
        aria-label={`Filter lines of ${label}`}
        placeholder="Filter lines …"
        value={words}
        onChange={({ target }) => {
          setWords(target.value);
        }}
      />
      <label>
        <input
          type="checkbox"
          checked={isWrapped}
          onChange={({ target }) => {
            setWrapped(target.checked);
          }}
        />{' '}
        wrap
      </label>
      <Copy text={text} />
      <button
        type="button"
        onClick={() => {
          saveFile(`${label}.txt`, text);
        }}
      >
        Download
      </button>
    </>
  );
}

function LongText({ text, label, from, filter, isLong = false }: ViewerProps): ReactNode {
  const own = useState<string | undefined>('');
  const [words = '', setWords] = filter ?? own;
  const [isWrapped, setWrapped] = useState(true);
  const rows = useMemo(() => rowsOf(text), [text]);
  const found = useMemo(() => rowsHolding(text, rows, words), [rows, text, words]);
  const total = countedText(countOf(rows), 'line');
  return (
    <div className={isWrapped ? 'viewer' : 'viewer is-unwrapped'}>
      <div className="filters">
        <Tools {...{ text, label, words, setWords, isWrapped, setWrapped }} />
        <span className="muted number count" role="status">
          {words === '' ? total : `${countText(countOf(found))} of ${total}`}
        </span>
      </div>
      <VirtualRows
        key={`${words} ${String(isWrapped)}`}
        rows={found}
        label={label}
        keyOf={({ line, part }) => `${line}.${part}`}
        height={19}
        className={isLong ? 'is-text is-long' : 'is-text'}
        first={from === undefined ? -1 : found.findIndex(({ line }) => line >= from)}
        isMeasured
      >
        {(row) => <Row row={row} isHere={row.line === from} />}
      </VirtualRows>
    </div>
  );
}

/** A text of any length, whole, that others wrote: line numbers, wrap, filter, copy and download. Text nodes only. */
export function TextViewer(props: ViewerProps): ReactNode {
  const { text, label, isLong = false } = props;
  const isShort =
    !isLong &&
    text.length <= shortCharacters &&
    text.split('\n', shortLines + 1).length <= shortLines;
  return isShort ? <PlainText text={text} label={label} /> : <LongText {...props} />;
}
