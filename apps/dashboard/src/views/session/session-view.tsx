import { type ReactNode, useEffect, useState } from 'react';
import { Link } from 'wouter';
import { useSession } from '../../api/queries.ts';
import { modeNamed, type SessionMode, SessionModeContext } from '../../api/session-mode.ts';
import { useReplay } from '../../api/use-replay.ts';
import { agentPath, sessionPath, useAddressState } from '../../parts/addresses.ts';
import { Tabs } from '../../parts/controls/tabs.tsx';
import { isMissing, NotFound } from '../../parts/states.tsx';
import { firstLine } from '../../parts/text/plain-text.tsx';
import { useTitle } from '../../parts/use-title.ts';
import { ContextPanel } from '../agent/context-panel.tsx';
import { HeatView } from '../analysis/heat-view.tsx';
import { Hints } from '../analysis/hints.tsx';
import { WhatIfView } from '../analysis/what-if-view.tsx';
import { ConversationView } from '../conversation/conversation-view.tsx';
import { OutputsView } from '../output/outputs-view.tsx';
import { FlushDiff } from '../removed/flush-diff.tsx';
import { RemovedView } from '../removed/removed-view.tsx';
import { ChangesView } from '../request/changes-view.tsx';
import { RequestView } from '../request/request-view.tsx';
import { CompactionDiff } from './compaction-diff.tsx';
import { ImportedNote } from './imported-note.tsx';
import { ReplayWaiting } from './replay-waiting.tsx';
import { SessionTimeline } from './session-timeline.tsx';
import { NotRecorded, useIsWatched, WatchedNote } from './watched-note.tsx';

const tabs = [
  ['', 'Context'],
  ['conversation', 'Conversation'],
  ['timeline', 'Timeline'],
  ['left', 'Removed from context'],
  ['request', 'Request inspector'],
  ['changes', 'Changes'],
  ['heat', 'Heat'],
  ['what-if', 'What if'],
  ['outputs', 'Tool outputs'],
] as const;

interface TabProps {
  readonly session: string;
  /** What the address names below the tab: a request, a compaction. */
  readonly at?: number;
}

/** The views of a session, by the first part of their address. */
const views: Readonly<Record<string, (props: TabProps) => ReactNode>> = {
  conversation: ({ session }) => <ConversationView session={session} />,
  timeline: ({ session }) => <SessionTimeline session={session} />,
  left: ({ session }) => <RemovedView session={session} />,
  flush: ({ session, at = 0 }) => <FlushDiff session={session} number={at} />,
  compaction: ({ session, at = 0 }) => <CompactionDiff session={session} compaction={at} />,
  heat: ({ session }) => <HeatView session={session} />,
  'what-if': ({ session }) => <WhatIfView session={session} />,
  outputs: ({ session }) => <OutputsView session={session} />,
  request: (props) => <RequestView {...props} />,
  changes: (props) => <ChangesView {...props} />,
};

/** Views of one thing that the address numbers; some have a view of all of them, too. */
const numbered: readonly string[] = ['flush', 'compaction', 'request', 'changes'];

/** Whether an address below a session names one of its views. Pure. */
export function isSessionTab(tab: string): boolean {
  const [name = '', number, ...rest] = tab.split('/');
  if (name !== '' && !Object.hasOwn(views, name)) return false;
  if (number === undefined) return true;
  return rest.length === 0 && numbered.includes(name) && /^\d{1,9}$/.test(number);
}

/** Views of single requests: of a session that was only watched they have nothing to show. */
const ofRequests: readonly string[] = ['timeline', 'changes', 'heat', 'flush'];

function TabView({ session, tab }: { session: string; tab: string }): ReactNode {
  const isWatched = useIsWatched(session);
  const [name = '', part] = tab.split('/');
  if (isWatched && ofRequests.includes(name)) return <NotRecorded />;
  const view = Object.hasOwn(views, name) ? views[name] : undefined;
  if (view === undefined) {
    return (
      <>
        <Hints session={session} />
        <ContextPanel session={session} />
      </>
    );
  }
  return view({ session, ...(part === undefined ? {} : { at: Number(part) }) });
}

/** Tabs that show the same in every mode. */
const modeless: readonly string[] = ['outputs', 'what-if'];

/** The mode that shows the session. Every view of it keeps a mode that was chosen in its address. */
function useMode(): readonly [SessionMode, (mode: SessionMode) => void] {
  const [asked, setAsked] = useAddressState('as');
  const [chosen, setChosen] = useState<string>(() => (asked === '' ? '' : modeNamed(asked)));
  useEffect(() => {
    if (asked !== chosen) setAsked(chosen);
  }, [asked, setAsked, chosen]);
  return [modeNamed(chosen), setChosen];
}

/** Which tab an address belongs to, and its name. */
function tabAt(address: string): readonly [path: string, name: string] {
  const [name = ''] = address.split('/');
  const path = name === 'flush' || name === 'compaction' ? 'left' : name;
  return tabs.find((one) => one[0] === path) ?? tabs[0];
}

function FoundSession({ session, tab }: { session: string; tab: string }): ReactNode {
  const { data } = useSession(session);
  const agent = data?.session.agentId;
  const title = firstLine(data?.session.title ?? session);
  const [mode, setMode] = useMode();
  const [current, name] = tabAt(tab);
  const isModeless = modeless.includes(current);
  const shown = isModeless ? 'recorded' : mode;
  const progress = useReplay(session, shown);
  const isReady = shown === 'recorded' || progress.replay?.state === 'done';
  useTitle(name, title);
  return (
    <SessionModeContext value={shown}>
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
      {isModeless ? null : (
        <ImportedNote session={session} mode={mode} onMode={setMode} isReady={isReady} />
      )}
      <WatchedNote session={session} />
      {isReady ? <TabView session={session} tab={tab} /> : <ReplayWaiting {...progress} />}
    </SessionModeContext>
  );
}

/** One session: its views, each with an address. */
export function SessionView(props: { session: string; tab: string }): ReactNode {
  const { data, error } = useSession(props.session);
  return data === undefined && isMissing(error) ? <NotFound /> : <FoundSession {...props} />;
}
