import { type ReactNode, useState, useSyncExternalStore } from 'react';
import { Link, Redirect, Route, Switch, useRoute } from 'wouter';
import { useApi } from './api/api-context.ts';
import { idOfUrl } from './api/id-of-url.ts';
import { ConnectionState } from './parts/connection-state.tsx';
import { HelpDialog } from './parts/controls/help-dialog.tsx';
import { closeOpen, focusSearch, moveFocus, useKeys } from './parts/controls/keyboard.ts';
import { ThemeButton } from './parts/controls/theme-button.tsx';
import { NotFound } from './parts/states.tsx';
import { AgentView, isAgentTab } from './views/agent/agent-view.tsx';
import { AgentsView } from './views/agent/agents-view.tsx';
import { KeyView } from './views/key-view.tsx';
import { OutputSearchView } from './views/output/output-search-view.tsx';
import { OutputView } from './views/output/output-view.tsx';
import { isSessionTab, SessionView } from './views/session/session-view.tsx';
import { SessionsView } from './views/session/sessions-view.tsx';
import { StatisticsView } from './views/statistics-view.tsx';

function NavLink({ to, name }: { to: string; name: string }): ReactNode {
  const [isHere] = useRoute(`${to}/*?`);
  return (
    <Link href={to} aria-current={isHere ? 'page' : undefined} data-name={name}>
      {name}
    </Link>
  );
}

function Views(): ReactNode {
  return (
    <Switch>
      <Route path="/">
        <Redirect to="/sessions" replace />
      </Route>
      <Route path="/sessions" component={SessionsView} />
      <Route path="/sessions/:session/*?">
        {({ session, '*': tab = '' }) =>
          isSessionTab(tab) ? (
            <SessionView key={session} session={idOfUrl(session)} tab={tab} />
          ) : (
            <NotFound />
          )
        }
      </Route>
      <Route path="/agents" component={AgentsView} />
      <Route path="/agents/:agent/*?">
        {({ agent, '*': tab = '' }) =>
          isAgentTab(tab) ? (
            <AgentView key={agent} agent={idOfUrl(agent)} tab={tab} />
          ) : (
            <NotFound />
          )
        }
      </Route>
      <Route path="/outputs" component={OutputSearchView} />
      <Route path="/outputs/:output">
        {({ output }) => <OutputView key={output} output={idOfUrl(output)} />}
      </Route>
      <Route path="/statistics" component={StatisticsView} />
      <Route component={NotFound} />
    </Switch>
  );
}

function TopBar({ onHelp }: { onHelp: () => void }): ReactNode {
  return (
    <header>
      <Link href="/sessions" className="brand">
        ctx
      </Link>
      <nav aria-label="Views">
        <NavLink to="/sessions" name="Sessions" />
        <NavLink to="/agents" name="Agents" />
        <NavLink to="/outputs" name="Outputs" />
        <NavLink to="/statistics" name="Statistics" />
      </nav>
      <ConnectionState />
      <ThemeButton />
      <button type="button" aria-label="Keys" onClick={onHelp}>
        ?
      </button>
    </header>
  );
}

/** The page: what is always there, and the view that its address names. */
export function Page(): ReactNode {
  const { keys } = useApi();
  const isRefused = useSyncExternalStore(keys.subscribe, keys.isRefused);
  const [isHelpOpen, setHelpOpen] = useState(false);
  const [shortcuts] = useState(() => ({
    j: () => {
      moveFocus(1);
    },
    k: () => {
      moveFocus(-1);
    },
    '/': focusSearch,
    '?': () => {
      setHelpOpen(true);
    },
    Escape: closeOpen,
  }));
  useKeys(shortcuts);
  return (
    <>
      <a className="skip" href="#main">
        Skip to content
      </a>
      <TopBar
        onHelp={() => {
          setHelpOpen(true);
        }}
      />
      <main id="main" tabIndex={-1}>
        {isRefused ? <KeyView /> : <Views />}
      </main>
      {isHelpOpen ? (
        <HelpDialog
          onClose={() => {
            setHelpOpen(false);
          }}
        />
      ) : null}
    </>
  );
}
