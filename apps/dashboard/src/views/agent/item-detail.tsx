import { idInUrl } from '@ctx/server/client';
import { type ReactNode, useEffect, useRef } from 'react';
import { type ItemAnswer, useItem } from '../../api/queries.ts';
import { type ItemPlace, useItemActions } from '../../api/use-item-actions.ts';
import { agentPath } from '../../parts/addresses.ts';
import { Commands } from '../../parts/controls/commands.tsx';
import { Confirm } from '../../parts/controls/confirm.tsx';
import { Table } from '../../parts/lists/table.tsx';
import { Shown } from '../../parts/states.tsx';
import { Ago } from '../../parts/text/ago.tsx';
import { countText, durationText } from '../../parts/text/format.ts';
import { firstLine } from '../../parts/text/plain-text.tsx';
import { TextViewer } from '../../parts/text/text-viewer.tsx';

/** Why an item matters as much as it does: weight × decay × boost. */
function Score({ answer }: { answer: ItemAnswer }): ReactNode {
  const { item, why } = answer;
  const rows = [
    ['weight', why.weight.toFixed(3), `of kind ${item.kind}`],
    ['decay', why.decay.toFixed(3), `${durationText(why.ageMs)} since it was last used`],
    [
      'boost',
      why.boost.toFixed(3),
      item.accessCount === 1 ? '1 access' : `${countText(item.accessCount)} accesses`,
    ],
    ['importance', item.importance.toFixed(3), `${item.tier}${item.pinned ? ', pinned' : ''}`],
  ] as const;
  return (
    <Table
      caption="Score: weight × decay × boost"
      columns={[['Part'], ['Value', 'number'], ['From']]}
    >
      {rows.map(([name, value, from]) => (
        <tr key={name}>
          <td>{name}</td>
          <td className="number">{value}</td>
          <td className="muted">{firstLine(from)}</td>
        </tr>
      ))}
    </Table>
  );
}

function Actions({
  answer,
  onClose,
  ...place
}: ItemPlace & { answer: ItemAnswer; onClose: () => void }): ReactNode {
  const { change, remove } = useItemActions(place);
  const { pinned, archived } = answer.item;
  return (
    <div className="actions">
      <Confirm
        name={pinned ? 'Unpin' : 'Pin'}
        question={pinned ? 'Unpin this item?' : 'Pin this item?'}
        act={pinned ? 'Unpin' : 'Pin'}
        onConfirm={() => change({ pinned: !pinned })}
      >
        <p>
          {pinned
            ? 'It ages again like the others, and a flash save may archive it.'
            : 'It stays hot and is never archived, however old it gets.'}
        </p>
      </Confirm>
      {archived ? (
        <Confirm
          name="Bring back"
          question="Bring this item back?"
          act="Bring back"
          onConfirm={() => change({ archived: false })}
        >
          <p>It leaves the archive and is listed with the other items.</p>
        </Confirm>
      ) : null}
      <Confirm
        name="Delete"
        question="Permanently delete this item?"
        act="Delete"
        isDangerous
        onConfirm={async () => {
          await remove();
          onClose();
        }}
      >
        <p>This cannot be undone. Checkpoints lose the item, too.</p>
      </Confirm>
    </div>
  );
}

/** One item: what it says, why it matters as much as it does, and what can be done with it. */
export function ItemDetail({ onClose, ...place }: ItemPlace & { onClose: () => void }): ReactNode {
  const query = useItem(place.agent, place.item, 'detail');
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    heading.current?.focus();
  }, []);
  return (
    <aside className="card detail" aria-label="Item">
      <div className="heading">
        <h2 tabIndex={-1} ref={heading}>
          {firstLine(query.data?.item.kind ?? 'Item')}
        </h2>
        <button type="button" onClick={onClose} aria-label="Close the item" data-close>
          ✕
        </button>
      </div>
      <Shown query={query}>
        {(answer) => (
          <>
            <p className="muted">
              {countText(answer.item.tokens)} tokens, from {firstLine(answer.item.source)}, saved{' '}
              <Ago at={answer.item.createdAt} />
            </p>
            <TextViewer text={answer.item.content ?? ''} label="Content of the item" />
            <Actions answer={answer} onClose={onClose} {...place} />
            <Score answer={answer} />
          </>
        )}
      </Shown>
      <Commands
        cli={['item', place.item, '--agent', place.agent]}
        api={`/v1${agentPath(place.agent, `/items/${idInUrl(place.item)}`)}`}
      />
    </aside>
  );
}
