import { type ReactNode, useState } from 'react';
import { Link } from 'wouter';
import { type OutputPart, useOutput, useOutputPart } from '../../api/output-queries.ts';
import type { OutputEntry } from '../../api/queries.ts';
import { outputPath, sessionPath, useAddressState } from '../../parts/addresses.ts';
import { Commands } from '../../parts/controls/commands.tsx';
import { Problem, Shown } from '../../parts/states.tsx';
import { bytesText, countText } from '../../parts/text/format.ts';
import { firstLine, PlainText } from '../../parts/text/plain-text.tsx';

const pageLines = 200;

function partText({ text, matches }: OutputPart): string {
  if (matches === undefined) return text;
  return matches
    .map(({ line, before, after, text: found }) => {
      const first = line - before.length;
      const lines = [...before, found, ...after];
      return lines
        .map((one, index) => `${first + index === line ? '▸' : ' '} ${first + index}: ${one}`)
        .join('\n');
    })
    .join('\n…\n');
}

interface PartProps {
  readonly output: string;
  readonly from: number;
  readonly pattern: string;
  readonly onFrom: (line: number) => void;
}

function Part({ output, from, pattern, onFrom }: PartProps): ReactNode {
  const { data, error } = useOutputPart(output, { from, to: from + pageLines - 1, pattern });
  if (error !== null) return <Problem error={error} />;
  if (data === undefined) return null;
  const { totalLines, totalMatches, nextLine } = data;
  const last = Math.min(totalLines, (nextLine ?? totalLines + 1) - 1);
  return (
    <>
      <p className="muted number" role="status">
        {totalMatches === undefined
          ? `Lines ${countText(from)} to ${countText(last)} of ${countText(totalLines)}`
          : `${countText(totalMatches)} lines of ${countText(totalLines)} hold it`}
      </p>
      <PlainText text={partText(data)} label="Result" isLong />
      <div className="actions">
        <button
          type="button"
          disabled={from <= 1}
          onClick={() => {
            onFrom(Math.max(1, from - pageLines));
          }}
        >
          ← Lines before
        </button>
        <button
          type="button"
          disabled={nextLine === undefined || nextLine > totalLines}
          onClick={() => {
            onFrom(nextLine ?? from);
          }}
        >
          Lines behind →
        </button>
      </div>
    </>
  );
}

function PartForm({ lines }: { lines: number }): ReactNode {
  const [from, setFrom] = useAddressState('from');
  const [pattern, setPattern] = useAddressState('pattern');
  const [typed, setTyped] = useState(pattern);
  return (
    <form
      className="filters"
      onSubmit={(event) => {
        event.preventDefault();
        setPattern(typed);
      }}
    >
      <input
        type="search"
        aria-label="Only lines that hold"
        placeholder="Only lines that hold …"
        value={typed}
        onChange={({ target }) => {
          setTyped(target.value);
          if (target.value === '') setPattern(undefined);
        }}
      />
      <label>
        from line{' '}
        <input
          type="number"
          min={1}
          max={lines}
          value={from === '' ? 1 : from}
          onChange={({ target }) => {
            setFrom(target.value);
          }}
        />
      </label>
      <button type="submit">Find</button>
    </form>
  );
}

function Called({ entry, args }: { entry: OutputEntry; args: unknown }): ReactNode {
  return (
    <>
      <div className="heading">
        <h1>
          <span className="muted">Output of </span>
          {firstLine(entry.toolName)}
        </h1>
        <Link href={sessionPath(entry.sessionId, '/outputs')}>
          Outputs of session {firstLine(entry.sessionId)}
        </Link>
      </div>
      <p className="muted">
        {countText(entry.tokens)} tokens, {bytesText(entry.bytes)}, {countText(entry.lines)} lines
      </p>
      <details open>
        <summary>Called with</summary>
        <PlainText text={JSON.stringify(args, undefined, 2)} label="Arguments" />
      </details>
    </>
  );
}

/** One tool output: what it was called with, and its result by lines or pattern. */
export function OutputView({ output }: { output: string }): ReactNode {
  const answer = useOutput(output);
  const [fromText, setFrom] = useAddressState('from');
  const [pattern] = useAddressState('pattern');
  const from = Math.max(1, Math.trunc(Number(fromText)) || 1);
  const lines = { from: String(from), to: String(from + pageLines - 1) };
  const query = new URLSearchParams(pattern === '' ? lines : { pattern });
  return (
    <Shown query={answer}>
      {({ output: entry, args }) => (
        <>
          <Called entry={entry} args={args} />
          <PartForm lines={entry.lines} />
          <Part
            output={output}
            from={from}
            pattern={pattern}
            onFrom={(line) => {
              setFrom(String(line));
            }}
          />
          <Commands
            cli={[
              'read',
              entry.pointer,
              ...(pattern === ''
                ? ['--lines', `${from}-${from + pageLines - 1}`]
                : ['--grep', pattern]),
            ]}
            api={`/v1${outputPath(output)}/text?${query.toString()}`}
          />
        </>
      )}
    </Shown>
  );
}
