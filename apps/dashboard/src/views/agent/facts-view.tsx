import { idInUrl } from '@ctx/server/client';
import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { Link } from 'wouter';
import { useApi } from '../../api/api-context.ts';
import { ask, done } from '../../api/ask.ts';
import { type FactEntry, useFacts } from '../../api/queries.ts';
import { sessionPath, useAddressState } from '../../parts/addresses.ts';
import { CommandCode, Commands } from '../../parts/controls/commands.tsx';
import { Confirm } from '../../parts/controls/confirm.tsx';
import { SearchField } from '../../parts/controls/search-field.tsx';
import { type Column, Sheet } from '../../parts/lists/table.tsx';
import { Empty, Shown } from '../../parts/states.tsx';
import { timeText } from '../../parts/text/format.ts';
import { firstLine, visibleText } from '../../parts/text/plain-text.tsx';

interface FactProps {
  readonly agent: string;
  readonly fact: FactEntry;
}

/** Correcting and destroying a fact; both ask first. */
function Actions({ agent, fact }: FactProps): ReactNode {
  const { client } = useApi();
  const queries = useQueryClient();
  const [text, setText] = useState(fact.text);
  const params = { path: { agent, fact: fact.id ?? '' } };
  const again = (): Promise<void> =>
    queries.invalidateQueries({ queryKey: ['agent', agent, 'facts'] });
  return (
    <div className="actions">
      <Confirm
        name="Correct"
        question="Correct this fact?"
        act="Correct"
        onConfirm={async () => {
          const body = { text, source: 'user' };
          await ask(client.PUT('/v1/agents/{agent}/facts/{fact}', { params, body }));
          await again();
        }}
      >
        <p>The old text stays in this list.</p>
        <label>
          Correct text{' '}
          <input
            value={text}
            onChange={({ target }) => {
              setText(target.value);
            }}
          />
        </label>
      </Confirm>
      <Confirm
        name="Forget"
        question="Permanently delete this fact?"
        act="Forget"
        isDangerous
        onConfirm={async () => {
          await done(client.DELETE('/v1/agents/{agent}/facts/{fact}', { params }));
          await again();
        }}
      >
        <p>
          This cannot be undone. Documents, summaries and checkpoints lose it, too; logs keep it.
        </p>
      </Confirm>
    </div>
  );
}

const timesOf = ({ validFrom = '', validTo }: FactEntry): string =>
  validTo === undefined
    ? `since ${timeText(validFrom)}`
    : `${timeText(validFrom)} to ${timeText(validTo)}`;

function FactRow({ agent, fact }: FactProps): ReactNode {
  const { text, kind = '', source = '', quote, address, sessions = [], pinned, validTo } = fact;
  const [session] = sessions;
  const more = [pinned && 'Pinned.', quote !== text && quote && `“${quote}”`, address];
  return (
    <tr className={validTo === undefined ? undefined : 'muted'} data-fact>
      <td>
        {visibleText(text)}
        <div className="muted">{visibleText(more.filter(Boolean).join(' '))}</div>
      </td>
      <td className="wide">{kind}</td>
      <td>
        {firstLine(source)}{' '}
        {session && <Link href={sessionPath(session)}>{firstLine(session)}</Link>}
      </td>
      <td>{timesOf(fact)}</td>
      <td>
        <Actions agent={agent} fact={fact} />
      </td>
    </tr>
  );
}

const columns: readonly Column[] = [['Fact'], ['Kind', 'wide'], ['Source'], ['Valid'], ['Actions']];

/** What is known beyond one session: who said it, where, when it held; correct and forget. */
export function FactsView({ agent }: { agent: string }): ReactNode {
  const [q] = useAddressState('q');
  const query = useFacts(agent, q);
  const find = q === '' ? '' : `?${new URLSearchParams({ q }).toString()}`;
  return (
    <>
      <div className="filters">
        <SearchField label="Search the facts" />
      </div>
      <Shown query={query}>
        {({ facts, next }) =>
          facts.length === 0 ? (
            <Empty title={q === '' ? 'No facts yet' : 'No matching facts'}>
              <p>
                Add one:{' '}
                <CommandCode words={['remember', '--agent', agent, 'Deploys run on Fridays']} />
              </p>
            </Empty>
          ) : (
            <>
              <Sheet label="Facts" columns={columns}>
                {facts.map((fact) => (
                  <FactRow key={fact.id} agent={agent} fact={fact} />
                ))}
              </Sheet>
              {next === undefined ? null : (
                <p className="muted">The newest 200 facts. Search covers all of them.</p>
              )}
            </>
          )
        }
      </Shown>
      <Commands
        cli={q === '' ? ['memory', '--agent', agent] : ['recall', q, '--agent', agent]}
        api={`/v1/agents/${idInUrl(agent)}/facts${find}`}
      />
    </>
  );
}
