import { type ReactNode, useEffect } from 'react';
import { Link } from 'wouter';
import { useOutputs } from '../api/output-queries.ts';
import type { OutputEntry } from '../api/queries.ts';
import { outputPath, useAddressState } from '../parts/addresses.ts';
import { Commands } from '../parts/commands.tsx';
import { bytesText, countText } from '../parts/format.ts';
import { firstLine } from '../parts/plain-text.tsx';
import { Empty, Shown } from '../parts/states.tsx';
import { OutputHitList } from './output-search-view.tsx';

function OutputRow({ output }: { output: OutputEntry }): ReactNode {
  const { id, toolName, description, tokens, bytes, sequence } = output;
  return (
    <li>
      <Link href={outputPath(id)} className="row output-row" data-row>
        <span className="number muted">{sequence}</span>
        <strong className="piece-name">{firstLine(toolName)}</strong>
        <span className="clip">{firstLine(description)}</span>
        <span className="number muted wide">{bytesText(bytes)}</span>
        <span className="number">{countText(tokens)}</span>
      </Link>
    </li>
  );
}

function AllOutputs({ session }: { session: string }): ReactNode {
  const query = useOutputs(session);
  const { hasNextPage, isFetching, fetchNextPage } = query;
  useEffect(() => {
    if (hasNextPage && !isFetching) void fetchNextPage();
  }, [hasNextPage, isFetching, fetchNextPage]);
  return (
    <Shown query={query}>
      {({ pages }) => {
        const outputs = pages.flatMap((page) => page.outputs);
        const tokens = outputs.reduce((sum, output) => sum + output.tokens, 0);
        if (outputs.length === 0) {
          return (
            <Empty title="No tool output yet">
              <p>
                What tools return is kept by a context manager, by <code>prepare</code>, or by{' '}
                <code>POST /v1/outputs</code>.
              </p>
            </Empty>
          );
        }
        return (
          <>
            <p className="muted number">
              {countText(outputs.length)} outputs, {countText(tokens)} tokens
            </p>
            <ul className="rows">
              {outputs.map((output) => (
                <OutputRow key={output.id} output={output} />
              ))}
            </ul>
          </>
        );
      }}
    </Shown>
  );
}

/** What tools returned in a session: list and search. */
export function OutputsView({ session }: { session: string }): ReactNode {
  const [q, setQ] = useAddressState('q');
  return (
    <>
      <div className="filters">
        <input
          type="search"
          placeholder="Search these outputs"
          aria-label="Search these outputs"
          value={q}
          onChange={({ target }) => {
            setQ(target.value);
          }}
        />
      </div>
      {q === '' ? <AllOutputs session={session} /> : <OutputHitList q={q} session={session} />}
      <Commands
        cli={['outputs', '--session', session]}
        api={`/v1/outputs?session=${encodeURIComponent(session)}`}
      />
    </>
  );
}
