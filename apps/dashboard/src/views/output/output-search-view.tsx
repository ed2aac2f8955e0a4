import { Fragment, type ReactNode } from 'react';
import { Link } from 'wouter';
import { type OutputHits, useOutputSearch } from '../../api/output-queries.ts';
import { outputPath, sessionPath, useAddressState } from '../../parts/addresses.ts';
import { Commands } from '../../parts/controls/commands.tsx';
import { SearchField } from '../../parts/controls/search-field.tsx';
import { type Column, Sheet } from '../../parts/lists/table.tsx';
import { Empty, Shown } from '../../parts/states.tsx';
import { countText } from '../../parts/text/format.ts';
import { FoundText } from '../../parts/text/found-text.tsx';
import { firstLine } from '../../parts/text/plain-text.tsx';
import { useTitle } from '../../parts/use-title.ts';

interface HitProps {
  readonly hit: OutputHits['hits'][number];
  readonly q: string;
  readonly isOfOne: boolean;
}

function Hit({ hit, q, isOfOne }: HitProps): ReactNode {
  const { output, line } = hit;
  const isResult = line?.of === 'result';
  const address = outputPath(output.id);
  return (
    <tr>
      <td className="name">
        <Link
          href={isResult ? `${address}?from=${line.line}` : address}
          className="row-link"
          data-row
        >
          <strong className="clip">{firstLine(output.toolName)}</strong>
        </Link>
      </td>
      <td className="number muted">{isResult ? countText(line.line) : 'call'}</td>
      <td className="clip">
        <FoundText text={line?.text ?? output.description} q={q} />
      </td>
      {isOfOne ? null : (
        <td className="name wide">
          <Link href={sessionPath(output.sessionId, '/outputs')} className="over-row clip">
            {firstLine(output.sessionId)}
          </Link>
        </td>
      )}
      <td className="number">{countText(output.tokens)}</td>
    </tr>
  );
}

function columnsFor(isOfOne: boolean): Column[] {
  const session: Column[] = isOfOne ? [] : [['Session', 'wide']];
  return [['Tool'], ['Line', 'number'], ['Match'], ...session, ['Tokens', 'number']];
}

const headings = {
  words: 'No output contains the exact phrase. These contain all of the words:',
  some: 'These contain only some of the words:',
} as const;

/** Says where the hits begin that hold less than was asked for. */
function MatchHeading({ hits, at }: { hits: OutputHits['hits']; at: number }): ReactNode {
  const match = hits[at]?.match;
  if (match === undefined || match === 'all' || match === hits[at - 1]?.match) return null;
  return (
    <tr>
      <td colSpan={5} className="muted">
        {headings[match]}
      </td>
    </tr>
  );
}

/** Matching outputs, of one session or of all. */
export function OutputHitList({ q, session }: { q: string; session?: string }): ReactNode {
  const query = useOutputSearch(q, session);
  const isOfOne = session !== undefined;
  return (
    <Shown query={query}>
      {({ hits }) =>
        hits.length === 0 ? (
          <Empty title="No output contains these words">
            <p>Try fewer or other words. Search matches whole words.</p>
          </Empty>
        ) : (
          <Sheet label="Matching outputs" columns={columnsFor(isOfOne)}>
            {hits.map((hit, at) => (
              <Fragment key={hit.output.id}>
                <MatchHeading hits={hits} at={at} />
                <Hit hit={hit} q={q} isOfOne={isOfOne} />
              </Fragment>
            ))}
          </Sheet>
        )
      }
    </Shown>
  );
}

/** Search in what tools returned, over all sessions. */
export function OutputSearchView(): ReactNode {
  useTitle('Outputs');
  const [q] = useAddressState('q');
  const words = q.trim() === '' ? 'error' : q;
  return (
    <>
      <div className="heading">
        <h1>Tool outputs</h1>
        <SearchField label="Search all outputs" />
      </div>
      {q.trim() === '' ? (
        <Empty title="What are you looking for?">
          <p>Search results and their arguments for an error, a path or a name.</p>
        </Empty>
      ) : (
        <OutputHitList q={q} />
      )}
      <Commands
        cli={['search', '--', words]}
        api={`/v1/outputs/search?q=${encodeURIComponent(words)}`}
      />
    </>
  );
}
