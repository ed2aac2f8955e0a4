import { type ReactNode, useEffect } from 'react';
import { Link } from 'wouter';
import { useOutputs } from '../api/output-queries.ts';
import type { OutputEntry } from '../api/queries.ts';
import { outputPath, useAddressState } from '../parts/addresses.ts';
import { Commands } from '../parts/commands.tsx';
import { bytesText, countText } from '../parts/format.ts';
import { firstLine } from '../parts/plain-text.tsx';
import { SearchField } from '../parts/search-field.tsx';
import { Empty, Shown } from '../parts/states.tsx';
import { type Column, Sheet } from '../parts/table.tsx';
import { OutputHitList } from './output-search-view.tsx';

/** What it was called with: a description begins with the tool, which has a column of its own. */
function calledWith({ toolName, description }: OutputEntry): string {
  return description.startsWith(`${toolName} `)
    ? description.slice(toolName.length + 1)
    : description;
}

function OutputRow({ output }: { output: OutputEntry }): ReactNode {
  const { id, toolName, tokens, bytes, lines, sequence } = output;
  return (
    <tr>
      <td className="number muted">{sequence}</td>
      <td className="name">
        <Link href={outputPath(id)} className="row-link" data-row>
          <strong className="clip">{firstLine(toolName)}</strong>
        </Link>
      </td>
      <td className="clip">{firstLine(calledWith(output))}</td>
      <td className="number muted wide">{countText(lines)}</td>
      <td className="number muted wide">{bytesText(bytes)}</td>
      <td className="number">{countText(tokens)}</td>
    </tr>
  );
}

const columns: readonly Column[] = [
  ['No.', 'number'],
  ['Tool'],
  ['Called with'],
  ['Lines', 'number wide'],
  ['Size', 'number wide'],
  ['Tokens', 'number'],
];

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
            <p className="muted number" role="status">
              {countText(outputs.length)} outputs, {countText(tokens)} tokens
            </p>
            <Sheet label="Tool outputs" columns={columns}>
              {outputs.map((output) => (
                <OutputRow key={output.id} output={output} />
              ))}
            </Sheet>
          </>
        );
      }}
    </Shown>
  );
}

/** What tools returned in a session: list and search. */
export function OutputsView({ session }: { session: string }): ReactNode {
  const [q] = useAddressState('q');
  const isSearch = q.trim() !== '';
  const id = encodeURIComponent(session);
  return (
    <>
      <div className="filters">
        <SearchField label="Search these outputs" />
      </div>
      {isSearch ? <OutputHitList q={q} session={session} /> : <AllOutputs session={session} />}
      <Commands
        cli={isSearch ? ['search', '--session', session, '--', q] : ['outputs', session]}
        api={
          isSearch
            ? `/v1/outputs/search?q=${encodeURIComponent(q)}&session=${id}`
            : `/v1/outputs?session=${id}`
        }
      />
    </>
  );
}
