import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { useOutput, useOutputText } from '../../api/output-queries.ts';
import type { OutputEntry } from '../../api/queries.ts';
import { outputPath, sessionPath, useAddressState } from '../../parts/addresses.ts';
import { Commands } from '../../parts/controls/commands.tsx';
import { Shown } from '../../parts/states.tsx';
import { bytesText, countedText } from '../../parts/text/format.ts';
import { firstLine } from '../../parts/text/plain-text.tsx';
import { TextViewer } from '../../parts/text/text-viewer.tsx';
import { useTitle } from '../../parts/use-title.ts';

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
        {countedText(entry.tokens, 'token')}, {bytesText(entry.bytes)},{' '}
        {countedText(entry.lines, 'line')}
      </p>
      <details open>
        <summary>Called with</summary>
        <TextViewer text={JSON.stringify(args, undefined, 2)} label="Arguments" />
      </details>
    </>
  );
}

/** One tool output: what it was called with, and its result, whole. */
export function OutputView({ output }: { output: string }): ReactNode {
  const answer = useOutput(output);
  const text = useOutputText(output);
  useTitle(firstLine(answer.data?.output.toolName ?? ''), 'Output');
  const [fromText] = useAddressState('from');
  const filter = useAddressState('pattern');
  const [pattern] = filter;
  const from = Math.trunc(Number(fromText));
  const query = new URLSearchParams(pattern === '' ? {} : { pattern, ignoreCase: 'true' });
  return (
    <Shown query={answer}>
      {({ output: entry, args }) => (
        <>
          <Called entry={entry} args={args} />
          <Shown query={text}>
            {(whole) => (
              <TextViewer
                text={whole}
                label="Result"
                filter={filter}
                isLong
                {...(from >= 1 ? { from } : {})}
              />
            )}
          </Shown>
          <Commands
            cli={['read', entry.pointer, ...(pattern === '' ? [] : ['--grep', pattern])]}
            api={`/v1${outputPath(output)}/text?${query.toString()}`}
          />
        </>
      )}
    </Shown>
  );
}
