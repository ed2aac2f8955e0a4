import { type ReactNode, type RefObject, useEffect, useRef, useState } from 'react';
import { Link } from 'wouter';
import { type SessionEntry, useSessions, useView } from '../api/queries.ts';
import { agentPath, sessionPath, useAddressState } from '../parts/addresses.ts';
import { Commands } from '../parts/commands.tsx';
import { agoText, shareText, shortText } from '../parts/format.ts';
import { windowParts } from '../parts/kinds.ts';
import { firstLine } from '../parts/plain-text.tsx';
import { Bar } from '../parts/stacked-bar.tsx';
import { Empty, Shown } from '../parts/states.tsx';

/** Whether an element has been on the screen: only then is what it shows asked for. */
function useSeen(): readonly [RefObject<HTMLAnchorElement | null>, boolean] {
  const ref = useRef<HTMLAnchorElement>(null);
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

/** How full the window of a session is. */
function Fill({ session, isOn }: { session: string; isOn: boolean }): ReactNode {
  const { data } = useView(session, { characters: 0, isOn });
  if (data === undefined) return <span className="fill-cell" />;
  if (data.tokens === 0) return <span className="fill-cell muted">no window</span>;
  const { tokens, limitTokens, windowTokens } = data;
  return (
    <span className="fill-cell">
      <Bar
        label={`${shareText(tokens, limitTokens)} of the limit`}
        parts={windowParts(data)}
        whole={windowTokens}
        limit={limitTokens}
      />
      <span className="number">
        {shortText(tokens)} of {shortText(limitTokens)}
      </span>
    </span>
  );
}

function SessionRow({ entry }: { entry: SessionEntry }): ReactNode {
  const [ref, isSeen] = useSeen();
  const { id, title, agentId, updatedAt } = entry;
  return (
    <li>
      <Link href={sessionPath(id)} className="row session-row" data-row ref={ref}>
        <span className="row-title">
          <strong>{firstLine(title ?? id)}</strong>
          {title === undefined ? null : <span className="muted"> {firstLine(id)}</span>}
        </span>
        <Fill session={id} isOn={isSeen} />
        <time className="muted" dateTime={updatedAt}>
          {agoText(updatedAt)}
        </time>
      </Link>
      <span className="row-side">
        {agentId === undefined ? null : <Link href={agentPath(agentId)}>{firstLine(agentId)}</Link>}
      </span>
    </li>
  );
}

function isFound({ id, title = '', agentId = '' }: SessionEntry, words: string): boolean {
  return `${id} ${title} ${agentId}`.toLowerCase().includes(words.toLowerCase());
}

/** All sessions, newest first, each with how full its window is. */
export function SessionsView(): ReactNode {
  const query = useSessions();
  const [q, setQ] = useAddressState('q');
  return (
    <>
      <div className="heading">
        <h1>Sessions</h1>
        <input
          type="search"
          placeholder="Find a session"
          aria-label="Find a session"
          value={q}
          onChange={({ target }) => {
            setQ(target.value);
          }}
        />
      </div>
      <Shown query={query}>
        {({ sessions, next }) =>
          sessions.length === 0 ? (
            <Empty title="No session yet">
              <p>
                Import what your agents have done: <code>ctx import --all</code>. Look at the
                recorded one: <code>ctx up --demo</code>. Or send messages to{' '}
                <code>POST /v1/sessions/my-session/prepare</code>.
              </p>
            </Empty>
          ) : (
            <>
              <ul className="rows">
                {sessions
                  .filter((entry) => isFound(entry, q))
                  .map((entry) => (
                    <SessionRow key={entry.id} entry={entry} />
                  ))}
              </ul>
              {next === undefined ? null : (
                <p className="muted">The newest 200; ctx sessions lists all.</p>
              )}
            </>
          )
        }
      </Shown>
      <Commands cli={['sessions']} api="/v1/sessions" />
    </>
  );
}
