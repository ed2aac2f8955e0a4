import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useApi } from '../../api/api-context.ts';
import { ask, done } from '../../api/ask.ts';
import { type CheckpointEntry, useCheckpointDiff, useCheckpoints } from '../../api/queries.ts';
import { agentPath, useAddressState } from '../../parts/addresses.ts';
import { Swatch } from '../../parts/charts/swatch.tsx';
import { CommandCode, Commands } from '../../parts/controls/commands.tsx';
import { Confirm } from '../../parts/controls/confirm.tsx';
import { Table } from '../../parts/lists/table.tsx';
import { Empty, Shown } from '../../parts/states.tsx';
import { countText, timeText } from '../../parts/text/format.ts';
import { firstLine } from '../../parts/text/plain-text.tsx';

const triggers: Readonly<Record<string, string>> = {
  limit: 'the limit',
  manual: 'by hand',
  'before-restore': 'before a restore',
};

function Restore({ agent, checkpoint }: { agent: string; checkpoint: CheckpointEntry }): ReactNode {
  const { client } = useApi();
  const queries = useQueryClient();
  return (
    <Confirm
      name="Restore"
      question={`Restore checkpoint ${checkpoint.sequence}?`}
      act="Restore"
      onConfirm={async () => {
        const path = { checkpoint: checkpoint.id };
        await done(client.POST('/v1/checkpoints/{checkpoint}/restore', { params: { path } }));
        await queries.invalidateQueries({ queryKey: ['agent', agent] });
        await queries.invalidateQueries({ queryKey: ['session'] });
      }}
    >
      <p>
        Items{checkpoint.sessionId === undefined ? '' : ', document and window'} return to their
        state of {timeText(checkpoint.at)}. The current state is saved as a checkpoint first, so you
        can undo this.
      </p>
    </Confirm>
  );
}

function Fork({ agent, checkpoint }: { agent: string; checkpoint: CheckpointEntry }): ReactNode {
  const { client } = useApi();
  const queries = useQueryClient();
  const hasSession = checkpoint.sessionId !== undefined;
  const [name, setName] = useState(`${checkpoint.sessionId ?? agent}-fork`);
  return (
    <Confirm
      name="Fork"
      question={`Start ${hasSession ? 'a session' : 'an agent'} from checkpoint ${checkpoint.sequence}?`}
      act="Fork"
      onConfirm={async () => {
        const path = { checkpoint: checkpoint.id };
        const body = hasSession ? { sessionId: name } : { agentId: name };
        await ask(client.POST('/v1/checkpoints/{checkpoint}/fork', { params: { path }, body }));
        await queries.invalidateQueries();
      }}
    >
      <p>The fork continues from there; the original does not change.</p>
      <label>
        Name{' '}
        <input
          value={name}
          onChange={({ target }) => {
            setName(target.value);
          }}
        />
      </label>
    </Confirm>
  );
}

function Diff({ agent, checkpoint }: { agent: string; checkpoint: string }): ReactNode {
  const query = useCheckpointDiff(agent, checkpoint);
  return (
    <Shown query={query}>
      {({ added, changed, moved, removed, unchanged }) => (
        <Table caption="Items since then" columns={[['Change'], ['Items', 'number']]}>
          {(
            [
              ['added', added.length],
              ['changed', changed.length],
              ['moved to another tier', moved.length],
              ['removed', removed.length],
              ['unchanged', unchanged],
            ] as const
          ).map(([text, count]) => (
            <tr key={text}>
              <td>{text}</td>
              <td className="number">{countText(count)}</td>
            </tr>
          ))}
        </Table>
      )}
    </Shown>
  );
}

interface EntryProps {
  readonly agent: string;
  readonly checkpoint: CheckpointEntry;
  readonly isOpen: boolean;
  readonly onOpen: () => void;
}

function Entry({ agent, checkpoint, isOpen, onOpen }: EntryProps): ReactNode {
  const { id, sequence, at, trigger, label, sessionId, hot, warm, cold, archived } = checkpoint;
  const counts = [
    ['hot', hot],
    ['warm', warm],
    ['cold', cold],
    ['archived', archived],
  ] as const;
  return (
    <li className="card">
      <button
        type="button"
        className="plain checkpoint-head"
        aria-expanded={isOpen}
        data-row
        onClick={onOpen}
      >
        <strong>#{sequence}</strong>
        <span className="clip">
          {firstLine(label ?? `saved by ${triggers[trigger] ?? trigger}`)}
        </span>
        <span className="tier-counts">
          {counts.map(([tier, { items }]) => (
            <span key={tier} className="number">
              <Swatch tone={tier} />
              <span className="muted">{tier}</span> {countText(items)}
            </span>
          ))}
        </span>
        <time className="number muted wide" dateTime={at}>
          {timeText(at)}
        </time>
      </button>
      <div className="actions">
        <Restore agent={agent} checkpoint={checkpoint} />
        <Fork agent={agent} checkpoint={checkpoint} />
        {sessionId === undefined ? null : (
          <span className="muted">
            with session {firstLine(sessionId)}: its document and its window
          </span>
        )}
      </div>
      {isOpen ? <Diff agent={agent} checkpoint={id} /> : null}
    </li>
  );
}

/** Moments that can be restored, newest first. */
export function CheckpointsView({ agent }: { agent: string }): ReactNode {
  const query = useCheckpoints(agent);
  const [open, setOpen] = useAddressState('checkpoint');
  return (
    <Shown query={query}>
      {({ checkpoints }) =>
        checkpoints.length === 0 ? (
          <Empty title="No checkpoints yet">
            <p>
              <CommandCode words={['flash-save', '--agent', agent]} /> saves one and archives cold
              items. So does an agent that reaches its limit.
            </p>
          </Empty>
        ) : (
          <>
            <ul className="cards">
              {checkpoints.map((checkpoint) => (
                <Entry
                  key={checkpoint.id}
                  agent={agent}
                  checkpoint={checkpoint}
                  isOpen={checkpoint.id === open}
                  onOpen={() => {
                    setOpen(checkpoint.id === open ? undefined : checkpoint.id);
                  }}
                />
              ))}
            </ul>
            <Commands
              cli={['checkpoints', '--agent', agent]}
              api={`/v1${agentPath(agent, '/checkpoints')}`}
            />
          </>
        )
      }
    </Shown>
  );
}
