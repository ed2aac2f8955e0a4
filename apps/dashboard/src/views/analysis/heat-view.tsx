import { keepPreviousData, type UseQueryResult, useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { Link } from 'wouter';
import { useApi } from '../../api/api-context.ts';
import { ask } from '../../api/ask.ts';
import type { Json } from '../../api/json.ts';
import { useModeQuery } from '../../api/session-mode.ts';
import { sessionPath } from '../../parts/addresses.ts';
import { Treemap } from '../../parts/charts/treemap.tsx';
import { Empty, Shown } from '../../parts/states.tsx';
import { countText } from '../../parts/text/format.ts';
import { firstLine } from '../../parts/text/plain-text.tsx';

type Heat = Json<'/v1/sessions/{session}/heat'>;
type HeatRow = Heat['tools'][number];

function useHeat(session: string): UseQueryResult<Heat> {
  const { client } = useApi();
  const mode = useModeQuery();
  const params = { path: { session }, query: mode };
  return useQuery({
    queryKey: ['heat', session, mode.mode],
    placeholderData: keepPreviousData,
    refetchOnMount: 'always',
    queryFn: () => ask(client.GET('/v1/sessions/{session}/heat', { params })),
  });
}

/** A column that the rows can be sorted by: the largest first, names and requests from the beginning. */
const columns = [
  ['carriedTokens', 'Carried'],
  ['inViewTokens', 'In view'],
  ['tokens', 'Received'],
  ['calls', 'Calls'],
  ['reads', 'Reads'],
  ['duplicates', 'Duplicates'],
  ['first', 'Since request'],
] as const;

type Key = (typeof columns)[number][0] | 'name';

/** Rows in the order of a column. Pure. */
export function sortedRows(rows: readonly HeatRow[], by: Key): HeatRow[] {
  if (by === 'name') return rows.toSorted((a, b) => a.name.localeCompare(b.name));
  if (by === 'first') {
    return rows.toSorted((a, b) => (a.first ?? Infinity) - (b.first ?? Infinity));
  }
  return rows.toSorted((a, b) => b[by] - a[by]);
}

/** Smaller ones would not be seen. */
const mostAreas = 24;

interface HeadProps {
  readonly name: string;
  readonly isChosen: boolean;
  readonly isNumber?: boolean;
  readonly order: 'ascending' | 'descending';
  readonly onChoose: () => void;
}

function Head({ name, isChosen, isNumber = false, order, onChoose }: HeadProps): ReactNode {
  return (
    <th scope="col" className={isNumber ? 'number' : ''} aria-sort={isChosen ? order : 'none'}>
      <button type="button" className="plain" onClick={onChoose}>
        {name}
        {isChosen ? (order === 'ascending' ? ' ▲' : ' ▼') : ''}
      </button>
    </th>
  );
}

interface RowProps {
  readonly session: string;
  readonly row: HeatRow;
}

function Row({ session, row }: RowProps): ReactNode {
  const { name, carriedTokens, first, duplicates, duplicateTokens } = row;
  return (
    <tr>
      <td className="name" title={firstLine(name)}>
        <span className="clip">
          <bdi>{firstLine(name)}</bdi>
        </span>
      </td>
      <td className="number">{countText(carriedTokens)}</td>
      <td className="number">{countText(row.inViewTokens)}</td>
      <td className="number">{countText(row.tokens)}</td>
      <td className="number">{countText(row.calls)}</td>
      <td className="number">{countText(row.reads)}</td>
      <td className="number">
        {duplicates === 0 ? '0' : `${countText(duplicates)} (${countText(duplicateTokens)})`}
      </td>
      <td className="number">
        {first === undefined ? (
          '–'
        ) : (
          <Link href={sessionPath(session, `/request/${first}`)}>{countText(first)}</Link>
        )}
      </td>
    </tr>
  );
}

interface TableProps {
  readonly session: string;
  readonly title: string;
  readonly rows: readonly HeatRow[];
}

function HeatTable({ session, title, rows }: TableProps): ReactNode {
  const [by, setBy] = useState<Key>('carriedTokens');
  const head = (key: Key, name: string) => (
    <Head
      key={key}
      name={name}
      isChosen={by === key}
      isNumber={key !== 'name'}
      order={key === 'name' || key === 'first' ? 'ascending' : 'descending'}
      onChoose={() => {
        setBy(key);
      }}
    />
  );
  return (
    <>
      <Treemap
        label={`${title}s by tokens carried, as in the table`}
        areas={rows.slice(0, mostAreas).map((row) => [firstLine(row.name), row.carriedTokens])}
      />
      <div className="sheet heat" tabIndex={0} role="region" aria-label={title}>
        <table>
          <thead>
            <tr>
              {head('name', title)}
              {columns.map(([key, name]) => head(key, name))}
            </tr>
          </thead>
          <tbody>
            {sortedRows(rows, by).map((row) => (
              <Row key={row.name} session={session} row={row} />
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
}

/** Which tools and files took the tokens, over all requests. */
export function HeatView({ session }: { session: string }): ReactNode {
  const query = useHeat(session);
  return (
    <Shown query={query}>
      {({ requests, tools, files, filesLeftOut }) =>
        tools.length === 0 ? (
          <Empty title="No tool results yet">
            <p>Files and tools appear here once a call has its result.</p>
          </Empty>
        ) : (
          <>
            <p>
              Tokens of calls and their results. Carried: in all {countText(requests)} requests
              together, once for each that contained them. Duplicates: results that repeat an
              earlier one, with their tokens.
            </p>
            <HeatTable session={session} title="Tool" rows={tools} />
            <HeatTable session={session} title="File" rows={files} />
            <p className="muted">
              Calls that touch several files count under their tool only.
              {filesLeftOut === 0 ? '' : ` ${countText(filesLeftOut)} more files are not listed.`}
            </p>
          </>
        )
      }
    </Shown>
  );
}
