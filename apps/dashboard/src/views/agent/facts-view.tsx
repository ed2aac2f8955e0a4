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
import { firstLine } from '../../parts/text/plain-text.tsx';

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
        <p>Your text replaces it from now on; the old fact stays in this list.</p>
        <label>
          What is right{' '}
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
        question="Destroy this fact for good?"
        act="Forget"
        isDangerous
        onConfirm={async () => {
          await done(client.DELETE('/v1/agents/{agent}/facts/{fact}', { params }));
          await again();
        }}
      >
        <p>It is removed from sessions, compactions and checkpoints, too. This cannot be undone.</p>
      </Confirm>
    </div>
  );
}

const timesOf = ({ validFrom = '', validTo }: FactEntry): string =>
  validTo === undefined
    ? `since ${timeText(validFrom)}`
    : `${timeText(validFrom)} to ${timeText(validTo)}`;

function FactRow({ agent, fact }: FactProps): ReactNode {
  const { text, kind = '', source = '', quote, sessions = [], pinned, validTo } = fact;
  const [session] = sessions;
  return (
    <tr className={validTo === undefined ? undefined : 'muted'} data-fact>
      <td title={quote}>
        {firstLine(text)}
        {pinned === true ? <span title="pinned"> ◆</span> : null}
      </td>
      <td className="wide">{kind}</td>
      <td>
        {firstLine(source)}{' '}
        {session === undefined ? null : (
          <Link href={sessionPath(session)} title={fact.address}>
            {firstLine(session)}
          </Link>
        )}
      </td>
      <td>{timesOf(fact)}</td>
      <td>
        <Actions agent={agent} fact={fact} />
      </td>
    </tr>
  );
}

const columns: readonly Column[] = [['Fact'], ['Kind', 'wide'], ['Said by'], ['Held'], ['Change']];

/** What is known beyond one session: who said it, where, when it held; correct and forget. */
export function FactsView({ agent }: { agent: string }): ReactNode {
  const [q] = useAddressState('q');
  const query = useFacts(agent, q);
  const find = q === '' ? '' : `?${new URLSearchParams({ q }).toString()}`;
  return (
    <>
      <SearchField label="Ask what is known" />
      <Shown query={query}>
        {({ facts, next }) =>
          facts.length === 0 ? (
            <Empty title={q === '' ? 'Nothing is known yet' : 'No matching fact'}>
              <p>
                Keep one:{' '}
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
