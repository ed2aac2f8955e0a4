import { type ReactNode, useEffect, useState } from 'react';
import { Link } from 'wouter';
import { useSession } from '../../api/queries.ts';
import { modeNamed, type SessionMode, SessionModeContext } from '../../api/session-mode.ts';
import { agentPath, sessionPath, useAddressState } from '../../parts/addresses.ts';
import { Tabs } from '../../parts/controls/tabs.tsx';
import { firstLine } from '../../parts/text/plain-text.tsx';
import { useTitle } from '../../parts/use-title.ts';
import { ContextPanel } from '../agent/context-panel.tsx';
import { OutputsView } from '../output/outputs-view.tsx';
import { FlushDiff } from '../removed/flush-diff.tsx';
import { RemovedView } from '../removed/removed-view.tsx';
import { ChangesView } from '../request/changes-view.tsx';
import { RequestView } from '../request/request-view.tsx';
import { CompactionDiff } from './compaction-diff.tsx';
import { ImportedNote } from './imported-note.tsx';
import { SessionTimeline } from './session-timeline.tsx';

const tabs = [
  ['', 'Context'],
  ['timeline', 'Timeline'],
  ['left', 'Removed from context'],
  ['request', 'Request inspector'],
  ['changes', 'Changes'],
  ['outputs', 'Tool outputs'],
] as const;

function TabView({ session, tab }: { session: string; tab: string }): ReactNode {
  const [name = '', part] = tab.split('/');
  const number = Number(part);
  if (name === 'timeline') return <SessionTimeline session={session} />;
  if (name === 'left') return <RemovedView session={session} />;
  if (name === 'flush') return <FlushDiff session={session} number={number} />;
  if (name === 'compaction') return <CompactionDiff session={session} compaction={number} />;
  if (name === 'outputs') return <OutputsView session={session} />;
  const at = part === undefined ? {} : { at: number };
  if (name === 'request') return <RequestView session={session} {...at} />;
  if (name === 'changes') return <ChangesView session={session} {...at} />;
  return <ContextPanel session={session} />;
}

/** The mode that shows the session. Every view of it keeps the mode in its address. */
function useMode(): readonly [SessionMode, (mode: SessionMode) => void] {
  const [asked, setAsked] = useAddressState('as');
  const [mode, setMode] = useState(() => modeNamed(asked));
  useEffect(() => {
    const name = mode === 'default' ? '' : mode;
    if (asked !== name) setAsked(name);
  }, [asked, setAsked, mode]);
  return [mode, setMode];
}

/** Which tab an address belongs to, and its name. */
function tabAt(address: string): readonly [path: string, name: string] {
  const [name = ''] = address.split('/');
  const path = name === 'flush' || name === 'compaction' ? 'left' : name;
  return tabs.find((one) => one[0] === path) ?? tabs[0];
}

/** One session: its views, each with an address. */
export function SessionView({ session, tab }: { session: string; tab: string }): ReactNode {
  const { data } = useSession(session);
  const agent = data?.session.agentId;
  const title = firstLine(data?.session.title ?? session);
  const [mode, setMode] = useMode();
  const [current, name] = tabAt(tab);
  useTitle(name, title);
  return (
    <SessionModeContext value={mode}>
      <div className="heading">
        <h1>
          <span className="muted">Session </span>
          {title}
        </h1>
        {agent === undefined ? null : (
          <Link href={agentPath(agent)}>Items of {firstLine(agent)}</Link>
        )}
      </div>
      <Tabs
        label="Views of the session"
        tabs={tabs.map(([path, text]) => [
          sessionPath(session, path === '' ? '' : `/${path}`),
          text,
          path === current,
        ])}
      />
      {current === 'outputs' ? null : (
        <ImportedNote session={session} mode={mode} onMode={setMode} />
      )}
      <TabView session={session} tab={tab} />
    </SessionModeContext>
  );
}
