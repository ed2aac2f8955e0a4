import { type ReactNode, useEffect } from 'react';
import { Link } from 'wouter';
import { useOutputs } from '../../api/output-queries.ts';
import type { OutputEntry } from '../../api/queries.ts';
import { outputPath, useAddressState } from '../../parts/addresses.ts';
import { Commands, sessionCommand } from '../../parts/controls/commands.tsx';
import { SearchField } from '../../parts/controls/search-field.tsx';
import { LiveList } from '../../parts/lists/live-list.tsx';
import type { Column } from '../../parts/lists/table.tsx';
import { Empty, Shown } from '../../parts/states.tsx';
import { bytesText, countedText, countText } from '../../parts/text/format.ts';
import { firstLine } from '../../parts/text/plain-text.tsx';
import { useIsPhone } from '../../parts/use-is-phone.ts';
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
    <div className="live-row output-row">
      <span className="number muted">{sequence}</span>
      <span className="clip">
        <Link href={outputPath(id)} className="row-link" data-row>
          <strong>{firstLine(toolName)}</strong>
        </Link>
      </span>
      <span className="clip second">{firstLine(calledWith(output))}</span>
      <span className="number muted wide">{countText(lines)}</span>
      <span className="number muted wide">{bytesText(bytes)}</span>
      <span className="number">{countText(tokens)}</span>
    </div>
  );
}

const columns: readonly Column[] = [
  ['No.', 'number'],
  ['Tool'],
  ['Called with', 'second'],
  ['Lines', 'number wide'],
  ['Size', 'number wide'],
  ['Tokens', 'number'],
];

function AllOutputs({ session }: { session: string }): ReactNode {
  const query = useOutputs(session);
  const isPhone = useIsPhone();
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
            <Empty title="No tool outputs yet">
              <p>
                Tool results are stored by a context manager, by <code>prepare</code>, or by{' '}
                <code>POST /v1/outputs</code>.
              </p>
            </Empty>
          );
        }
        return (
          <>
            <p className="muted number" role="status">
              {`${countedText(outputs.length, 'output')}, ${countedText(tokens, 'token')}`}
            </p>
            <LiveList
              columns={columns}
              rowClass="output-row"
              rows={outputs}
              label="Tool outputs"
              keyOf={({ id }) => id}
              height={38}
              isMeasured={isPhone}
            >
              {(output) => <OutputRow output={output} />}
            </LiveList>
            <Commands
              cli={sessionCommand('outputs', session)}
              api={`/v1/outputs?session=${encodeURIComponent(session)}`}
            />
          </>
        );
      }}
    </Shown>
  );
}

/** What tools returned in a session: list and search. */
export function OutputsView({ session }: { session: string }): ReactNode {
  const [q] = useAddressState('q');
  const id = encodeURIComponent(session);
  return (
    <>
      <div className="filters">
        <SearchField label="Search these outputs" />
      </div>
      {q.trim() === '' ? (
        <AllOutputs session={session} />
      ) : (
        <>
          <OutputHitList q={q} session={session} />
          <Commands
            cli={['search', '--session', session, '--', q]}
            api={`/v1/outputs/search?q=${encodeURIComponent(q)}&session=${id}`}
          />
        </>
      )}
    </>
  );
}
