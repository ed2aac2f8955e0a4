import { Fragment, type ReactNode } from 'react';
import { type CostOrder, type Costs, useCosts } from '../../api/cost-queries.ts';
import { type SessionEntry, useSessions } from '../../api/queries.ts';
import { useAddressState } from '../../parts/addresses.ts';
import { Legend } from '../../parts/charts/swatch.tsx';
import { CommandCode, Commands } from '../../parts/controls/commands.tsx';
import { SearchField } from '../../parts/controls/search-field.tsx';
import { Sheet } from '../../parts/lists/table.tsx';
import { Empty, Shown } from '../../parts/states.tsx';
import { countedText, countText, moneyText } from '../../parts/text/format.ts';
import { windowTones } from '../../parts/text/kinds.ts';
import { firstLine } from '../../parts/text/plain-text.tsx';
import { useTitle } from '../../parts/use-title.ts';
import { orderNamed, sessionOrders } from './session-orders.ts';
import { SessionRow, sessionColumns } from './session-row.tsx';

function NoSession(): ReactNode {
  return (
    <Empty title="No sessions yet">
      <p>
        Import what your agents have done: <CommandCode words={['import', '~/.claude/projects']} />
      </p>
      <p>
        Open the recorded demo: <CommandCode words={['up', '--demo']} />
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

interface MoreProps {
  readonly isBusy: boolean;
  readonly onMore: () => void;
}

function MoreSessions({ isBusy, onMore }: MoreProps): ReactNode {
  return (
    <button type="button" disabled={isBusy} onClick={onMore}>
      Show more sessions
    </button>
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
            <MoreSessions isBusy={isFetchingNextPage} onMore={() => void fetchNextPage()} />
          ) : null}
        </>
      )}
    </Shown>
  );
}

interface ProjectRowProps {
  readonly name: string;
  readonly found: NonNullable<Costs['projects']>[number] | undefined;
}

/** The head of a project: how many sessions it has, and what they cost together. */
function ProjectRow({ name, found }: ProjectRowProps): ReactNode {
  const { sessions = 0, dollars = 0 } = found ?? {};
  return (
    <tr className="group">
      <th colSpan={sessionColumns.length} scope="colgroup">
        {firstLine(name)}{' '}
        <span className="muted">
          {countedText(sessions, 'session')}, {moneyText(dollars)}
        </span>
      </th>
    </tr>
  );
}

/** Rows of sessions, each project below its head. */
function OrderedRows({ pages }: { pages: readonly Costs[] }): ReactNode {
  const projects = pages.flatMap((page) => page.projects ?? []);
  // A session that moved while pages were read may come twice.
  const costs = [
    ...new Map(pages.flatMap((page) => page.costs).map((one) => [one.session.id, one])).values(),
  ];
  return costs.map((one, place) => {
    const { session, project } = one;
    const isHead = project !== undefined && project !== costs[place - 1]?.project;
    return (
      <Fragment key={session.id}>
        {isHead ? (
          <ProjectRow name={project} found={projects.findLast((of) => of.project === project)} />
        ) : null}
        <SessionRow entry={session} cost={one} />
      </Fragment>
    );
  });
}

interface OrderedProps {
  readonly q: string;
  readonly sort: CostOrder;
  readonly isGrouped: boolean;
}

/** Sessions in an order, or by project, page by page. */
function OrderedSessions(asked: OrderedProps): ReactNode {
  const query = useCosts(asked);
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = query;
  return (
    <Shown query={query}>
      {({ pages }) => {
        const { total = 0, unread = 0 } = pages[0] ?? {};
        return (
          <>
            <p className="muted" role="status">
              {countedText(total, 'session')}
              {unread === 0 ? '' : `; ${countText(unread)} more to read …`}
            </p>
            <Sheet label="Sessions" columns={sessionColumns}>
              <OrderedRows pages={pages} />
            </Sheet>
            {hasNextPage ? (
              <MoreSessions isBusy={isFetchingNextPage} onMore={() => void fetchNextPage()} />
            ) : null}
          </>
        );
      }}
    </Shown>
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
  const order = orderNamed(sort);
  const isGrouped = group !== '';
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
      {isGrouped || order !== 'time' ? (
        <OrderedSessions q={q} sort={order} isGrouped={isGrouped} />
      ) : (
        <NewestSessions q={q} />
      )}
      <Legend tones={windowTones} />
      <Commands cli={['sessions']} api="/v1/sessions" />
    </>
  );
}
