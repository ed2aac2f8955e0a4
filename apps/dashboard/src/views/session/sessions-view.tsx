import { type ReactNode, type RefObject, useEffect, useRef, useState } from 'react';
import { Link } from 'wouter';
import { type SessionEntry, type Use, useSessions, useUse } from '../../api/queries.ts';
import { agentPath, sessionPath, useAddressState } from '../../parts/addresses.ts';
import { Bar } from '../../parts/charts/stacked-bar.tsx';
import { Legend } from '../../parts/charts/swatch.tsx';
import { Commands } from '../../parts/controls/commands.tsx';
import { SearchField } from '../../parts/controls/search-field.tsx';
import { type Column, Sheet } from '../../parts/lists/table.tsx';
import { Empty, Shown } from '../../parts/states.tsx';
import { Ago } from '../../parts/text/ago.tsx';
import { countText, shareText } from '../../parts/text/format.ts';
import { useParts, windowTones } from '../../parts/text/kinds.ts';
import { firstLine } from '../../parts/text/plain-text.tsx';
import { useTitle } from '../../parts/use-title.ts';

/** Whether an element has been on the screen: only then is what it shows asked for. */
function useSeen(): readonly [RefObject<HTMLTableRowElement | null>, boolean] {
  const ref = useRef<HTMLTableRowElement>(null);
  const [isSeen, setSeen] = useState(false);
  useEffect(() => {
    const observer = new IntersectionObserver((entries) => {
      if (entries.some(({ isIntersecting }) => isIntersecting)) setSeen(true);
    });
    if (ref.current !== null) observer.observe(ref.current);
    return () => {
      observer.disconnect();
    };
  }, []);
  return [ref, isSeen];
}

/** How full the last request was; empty until that is known. */
function Fill({ use, isKnown }: { use: Use | undefined; isKnown: boolean }): ReactNode {
  if (use === undefined || use.tokens === 0) {
    return (
      <>
        <td className="bar-cell muted">{isKnown ? 'no request yet' : ''}</td>
        <td className="number" />
        <td className="number wide" />
      </>
    );
  }
  const { tokens, windowTokens, reserveTokens } = use;
  const limitTokens = windowTokens - reserveTokens;
  return (
    <>
      <td className="bar-cell">
        <Bar
          label={`${shareText(tokens, limitTokens)} of limit`}
          parts={useParts(use)}
          whole={windowTokens}
          limit={limitTokens}
        />
      </td>
      <td className="number">{countText(tokens)}</td>
      <td className="number wide">{shareText(tokens, limitTokens)}</td>
    </>
  );
}

function SessionRow({ entry }: { entry: SessionEntry }): ReactNode {
  const { id, title, agentId, updatedAt } = entry;
  const [ref, isSeen] = useSeen();
  const { data } = useUse(id, isSeen);
  return (
    <tr ref={ref}>
      <td className="clip">
        <Link href={sessionPath(id)} className="row-link" data-row>
          <strong>{firstLine(title ?? id)}</strong>
        </Link>
        {title === undefined ? null : <span className="muted"> {firstLine(id)}</span>}
      </td>
      <Fill use={data?.use} isKnown={data !== undefined} />
      <td className="name wide">
        {agentId === undefined ? null : (
          <Link href={agentPath(agentId)} className="over-row">
            {firstLine(agentId)}
          </Link>
        )}
      </td>
      <td className="number muted wide">
        <Ago at={updatedAt} />
      </td>
    </tr>
  );
}

const columns: readonly Column[] = [
  ['Session'],
  ['Last request'],
  ['Tokens', 'number'],
  ['% of limit', 'number wide'],
  ['Agent', 'wide'],
  ['Changed', 'number wide'],
];

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

/** All sessions, newest first, each with how full its window is. */
export function SessionsView(): ReactNode {
  const [q] = useAddressState('q');
  const query = useSessions(q);
  useTitle('Sessions');
  return (
    <>
      <div className="heading">
        <h1>Sessions</h1>
        <SearchField label="Find a session" />
      </div>
      <Shown query={query}>
        {({ pages }) => {
          const found = pages.flatMap(({ sessions }) => sessions);
          if (found.length === 0 && q === '') return <NoSession />;
          return (
            <>
              <Sheet label="Sessions" columns={columns}>
                {found.map((entry) => (
                  <SessionRow key={entry.id} entry={entry} />
                ))}
              </Sheet>
              {found.length === 0 && !query.hasNextPage ? (
                <p className="muted">No matching session.</p>
              ) : null}
              {query.hasNextPage ? (
                <button
                  type="button"
                  disabled={query.isFetchingNextPage}
                  onClick={() => void query.fetchNextPage()}
                >
                  Show more sessions
                </button>
              ) : null}
              <Legend tones={windowTones} />
            </>
          );
        }}
      </Shown>
      <Commands cli={['sessions']} api="/v1/sessions" />
    </>
  );
}
