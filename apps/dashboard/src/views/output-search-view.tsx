import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { type OutputHits, useOutputSearch } from '../api/output-queries.ts';
import { outputPath, useAddressState } from '../parts/addresses.ts';
import { Commands } from '../parts/commands.tsx';
import { countText } from '../parts/format.ts';
import { firstLine } from '../parts/plain-text.tsx';
import { Empty, Shown } from '../parts/states.tsx';

function Hit({ hit }: { hit: OutputHits['hits'][number] }): ReactNode {
  const { output, line } = hit;
  return (
    <li>
      <Link
        href={
          line?.of === 'result'
            ? `${outputPath(output.id)}?from=${line.line}`
            : outputPath(output.id)
        }
        className="row output-row"
        data-row
      >
        <strong className="piece-name">{firstLine(output.toolName)}</strong>
        <span className="clip">
          {line === undefined
            ? firstLine(output.description)
            : `${line.line}: ${firstLine(line.text)}`}
        </span>
        <span className="number">{countText(output.tokens)}</span>
      </Link>
    </li>
  );
}

/** Outputs that hold the words, of one session or of all. */
export function OutputHitList({ q, session }: { q: string; session?: string }): ReactNode {
  const query = useOutputSearch(q, session);
  return (
    <Shown query={query}>
      {({ hits }) =>
        hits.length === 0 ? (
          <Empty title="No output holds these words">
            <p>Fewer or other words may find more. Whole words are looked for.</p>
          </Empty>
        ) : (
          <ul className="rows">
            {hits.map((hit) => (
              <Hit key={hit.output.id} hit={hit} />
            ))}
          </ul>
        )
      }
    </Shown>
  );
}

/** Search in what tools returned, over all sessions. */
export function OutputSearchView(): ReactNode {
  const [q, setQ] = useAddressState('q');
  return (
    <>
      <div className="heading">
        <h1>Tool outputs</h1>
        <input
          type="search"
          placeholder="Search all outputs"
          aria-label="Search all outputs"
          value={q}
          onChange={({ target }) => {
            setQ(target.value);
          }}
        />
      </div>
      {q === '' ? (
        <Empty title="What are you looking for?">
          <p>
            Words of a result or its arguments: an error, a path, a name. The outputs of one session
            are listed with the session.
          </p>
        </Empty>
      ) : (
        <OutputHitList q={q} />
      )}
      <Commands
        cli={['search', q === '' ? 'error' : q]}
        api={`/v1/outputs/search?q=${encodeURIComponent(q === '' ? 'error' : q)}`}
      />
    </>
  );
}
