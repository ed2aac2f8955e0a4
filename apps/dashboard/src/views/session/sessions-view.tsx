import type { ReactNode } from 'react';
import { dollarsOfSession, type SessionCost, useCosts } from '../../api/cost-queries.ts';
import { type SessionEntry, useSessions } from '../../api/queries.ts';
import { useAddressState } from '../../parts/addresses.ts';
import { Legend } from '../../parts/charts/swatch.tsx';
import { Commands } from '../../parts/controls/commands.tsx';
import { SearchField } from '../../parts/controls/search-field.tsx';
import { Sheet } from '../../parts/lists/table.tsx';
import { Empty, Problem, Shown } from '../../parts/states.tsx';
import { countText, moneyText } from '../../parts/text/format.ts';
import { windowTones } from '../../parts/text/kinds.ts';
import { firstLine } from '../../parts/text/plain-text.tsx';
import { useTitle } from '../../parts/use-title.ts';
import { groupSessions, orderSessions, sessionOrders } from './order-sessions.ts';
import { SessionRow, sessionColumns } from './session-row.tsx';

function NoSession(): ReactNode {
  return (
    <Empty title="No session yet">
      <p>
        Import what your agents have done: <code>ctx import ~/.claude/projects</code>
      </p>
      <p>
        Look at the recorded one: <code>ctx up --demo</code>
      </p>
      <p>
        Or send messages to <code>POST /v1/sessions/my-session/prepare</code>.
      </p>
    </Empty>
  );
}

interface ListProps {
  readonly entries: readonly SessionEntry[];
  readonly q: string;
  /** Whether more may be found. */
  readonly isWhole: boolean;
}

function SessionTable({ entries, q, isWhole }: ListProps): ReactNode {
  if (entries.length === 0 && isWhole) {
    return q === '' ? <NoSession /> : <p className="muted">No matching session.</p>;
  }
  return (
    <Sheet label="Sessions" columns={sessionColumns}>
      {entries.map((entry) => (
        <SessionRow key={entry.id} entry={entry} />
      ))}
    </Sheet>
  );
}

/** Sessions as they were used last, page by page. */
function NewestSessions({ q }: { q: string }): ReactNode {
  const query = useSessions(q);
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = query;
  return (
    <Shown query={query}>
      {({ pages }) => (
        <>
          <SessionTable
            entries={pages.flatMap(({ sessions }) => sessions)}
            q={q}
            isWhole={!hasNextPage}
          />
          {hasNextPage ? (
            <button
              type="button"
              disabled={isFetchingNextPage}
              onClick={() => void fetchNextPage()}
            >
              Show more sessions
            </button>
          ) : null}
        </>
      )}
    </Shown>
  );
}

/** The sessions of a project, and what they cost together. */
function Project({ name, costs }: { name: string; costs: readonly SessionCost[] }): ReactNode {
  const dollars = costs.reduce((sum, one) => sum + dollarsOfSession(one), 0);
  return (
    <>
      <tr className="group">
        <th colSpan={sessionColumns.length} scope="colgroup">
          {firstLine(name)}{' '}
          <span className="muted">
            {countText(costs.length)} sessions, {moneyText(dollars)}
          </span>
        </th>
      </tr>
      {costs.map((one) => (
        <SessionRow key={one.session.id} entry={one.session} dollars={dollarsOfSession(one)} />
      ))}
    </>
  );
}

interface OrderedProps {
  readonly q: string;
  readonly sort: string;
  readonly isGrouped: boolean;
}

/** All sessions in an order, or by project: each of them has to be read for it. */
function OrderedSessions({ q, sort, isGrouped }: OrderedProps): ReactNode {
  const { costs, isAll, error } = useCosts();
  const found = orderSessions(costs, { q, sort });
  if (error !== null) return <Problem error={error} />;
  return (
    <>
      <p className="muted" role="status">
        {countText(found.length)} sessions{isAll ? '' : '; reading more …'}
      </p>
      <Sheet label="Sessions" columns={sessionColumns}>
        {isGrouped
          ? groupSessions(found).map(([name, own]) => (
              <Project key={name} name={name} costs={own} />
            ))
          : found.map((one) => (
              <SessionRow
                key={one.session.id}
                entry={one.session}
                dollars={dollarsOfSession(one)}
              />
            ))}
      </Sheet>
    </>
  );
}

interface ChoiceProps {
  readonly name: string;
  readonly value: string;
  readonly options: Readonly<Record<string, string>>;
  readonly onChoose: (value: string) => void;
}

function Choice({ name, value, options, onChoose }: ChoiceProps): ReactNode {
  return (
    <select
      aria-label={name}
      value={value}
      onChange={({ target }) => {
        onChoose(target.value);
      }}
    >
      {Object.entries(options).map(([key, text]) => (
        <option key={key} value={key}>
          {text}
        </option>
      ))}
    </select>
  );
}

const groupings = { '': 'not grouped', project: 'by project' };

/** All sessions, each with how full its window is: the newest first, or in another order. */
export function SessionsView(): ReactNode {
  const [q] = useAddressState('q');
  const [sort, setSort] = useAddressState('sort');
  const [group, setGroup] = useAddressState('group');
  const isNewest = group === '' && !['cost', 'fill'].includes(sort);
  useTitle('Sessions');
  return (
    <>
      <div className="heading">
        <h1>Sessions</h1>
        <SearchField label="Find a session" />
      </div>
      <div className="filters">
        <Choice name="Order" value={sort} options={sessionOrders} onChoose={setSort} />
        <Choice name="Group" value={group} options={groupings} onChoose={setGroup} />
      </div>
      {isNewest ? (
        <NewestSessions q={q} />
      ) : (
        <OrderedSessions q={q} sort={sort} isGrouped={group !== ''} />
      )}
      <Legend tones={windowTones} />
      <Commands cli={['sessions']} api="/v1/sessions" />
    </>
  );
}
