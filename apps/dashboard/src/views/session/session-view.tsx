import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { useSession } from '../../api/queries.ts';
import { agentPath, sessionPath } from '../../parts/addresses.ts';
import { Tabs } from '../../parts/controls/tabs.tsx';
import { firstLine } from '../../parts/text/plain-text.tsx';
import { ContextPanel } from '../agent/context-panel.tsx';
import { OutputsView } from '../output/outputs-view.tsx';
import { CompactionDiff } from './compaction-diff.tsx';
import { FlushDiff } from './flush-diff.tsx';
import { ImportedNote } from './imported-note.tsx';
import { LeftView } from './left-view.tsx';
import { RequestView } from './request-view.tsx';
import { SessionTimeline } from './session-timeline.tsx';

const tabs = [
  ['', 'Context'],
  ['timeline', 'Timeline'],
  ['left', 'Removed from context'],
  ['request', 'Request inspector'],
  ['outputs', 'Tool outputs'],
] as const;

function TabView({ session, tab }: { session: string; tab: string }): ReactNode {
  const [name = '', part] = tab.split('/');
  const number = Number(part);
  if (name === 'timeline') return <SessionTimeline session={session} />;
  if (name === 'left') return <LeftView session={session} />;
  if (name === 'flush') return <FlushDiff session={session} number={number} />;
  if (name === 'compaction') return <CompactionDiff session={session} compaction={number} />;
  if (name === 'outputs') return <OutputsView session={session} />;
  if (name === 'request') {
    const at = part === undefined ? {} : { at: number };
    return <RequestView session={session} {...at} />;
  }
  return <ContextPanel session={session} />;
}

/** One session: its views, each with an address. */
export function SessionView({ session, tab }: { session: string; tab: string }): ReactNode {
  const { data } = useSession(session);
  const agent = data?.session.agentId;
  const [name = ''] = tab.split('/');
  const current = name === 'flush' || name === 'compaction' ? 'left' : name;
  return (
    <>
      <div className="heading">
        <h1>
          <span className="muted">Session </span>
          {firstLine(data?.session.title ?? session)}
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
      {name === 'outputs' ? null : <ImportedNote session={session} />}
      <TabView session={session} tab={tab} />
    </>
  );
}
