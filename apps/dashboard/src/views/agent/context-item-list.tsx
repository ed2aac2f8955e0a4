import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useEffect, useMemo, useState } from 'react';
import { type ItemEntry, useItem, useItemSearch, useItems } from '../../api/queries.ts';
import { agentPath, useAddressState } from '../../parts/addresses.ts';
import { Swatch } from '../../parts/charts/swatch.tsx';
import { CommandCode, Commands } from '../../parts/controls/commands.tsx';
import { SearchField } from '../../parts/controls/search-field.tsx';
import { orderItems, orderNames } from '../../parts/lists/item-order.ts';
import { LiveList } from '../../parts/lists/live-list.tsx';
import type { Column } from '../../parts/lists/table.tsx';
import { Empty, Problem } from '../../parts/states.tsx';
import { Ago } from '../../parts/text/ago.tsx';
import { countText } from '../../parts/text/format.ts';
import { firstLine } from '../../parts/text/plain-text.tsx';

const flagOf = (name: string, value: string): string[] => (value === '' ? [] : [name, value]);

interface RowProps {
  readonly agent: string;
  readonly item: ItemEntry;
  readonly isChosen: boolean;
  readonly onChoose: (id: string) => void;
}

function Beginning({ agent, item }: { agent: string; item: ItemEntry }): ReactNode {
  const { data } = useItem(agent, item.id, item.fingerprint);
  return (
    <span className="clip">{data === undefined ? '' : firstLine(data.item.content ?? '')}</span>
  );
}

/** Asks for the beginning of an item once its row has stood still for a moment. */
function LazyBeginning(props: { agent: string; item: ItemEntry }): ReactNode {
  const { agent, item } = props;
  const queries = useQueryClient();
  const key = ['agent', agent, 'item', item.id, item.fingerprint];
  const [isOn, setOn] = useState(() => queries.getQueryData(key) !== undefined);
  useEffect(() => {
    const timer = setTimeout(() => {
      setOn(true);
    }, 60);
    return () => {
      clearTimeout(timer);
    };
  }, []);
  return isOn ? <Beginning {...props} /> : <span className="clip" />;
}

/** Where the row of an item is found. */
export const rowId = (item: string): string => `item-${item}`;

function ItemRow({ agent, item, isChosen, onChoose }: RowProps): ReactNode {
  const { id, kind, tier, importance, tokens, pinned, archived, createdAt } = item;
  const place = archived ? 'archived' : tier;
  return (
    <button
      type="button"
      className={`item-row ${isChosen ? 'chosen' : ''}`}
      aria-pressed={isChosen}
      id={rowId(id)}
      data-row
      onClick={() => {
        onChoose(id);
      }}
    >
      <span className="clip">
        <Swatch tone={place} title={place} />
        {firstLine(kind)}
        {pinned ? <span title="pinned"> ◆</span> : null}
      </span>
      <LazyBeginning agent={agent} item={item} />
      <span className="number">{importance.toFixed(2)}</span>
      <span className="number">{countText(tokens)}</span>
      <span className="number muted wide">
        <Ago at={createdAt} />
      </span>
    </button>
  );
}

interface Found {
  readonly items: readonly ItemEntry[];
  readonly kinds: readonly string[];
  readonly loaded: number;
  readonly isWhole: boolean;
  readonly error: Error | null;
}

/** The items that the address asks for. All pages are read; what is there is shown meanwhile. */
function useFound(agent: string): Found {
  const [q] = useAddressState('q');
  const [tier] = useAddressState('tier');
  const [kind] = useAddressState('kind');
  const [sort] = useAddressState('sort');
  const { data, error, hasNextPage, isFetching, fetchNextPage } = useItems(agent);
  const hits = useItemSearch(agent, { q, isArchive: tier === 'archived' }).data?.hits;
  useEffect(() => {
    if (hasNextPage && !isFetching) void fetchNextPage();
  }, [hasNextPage, isFetching, fetchNextPage]);
  const all = useMemo(() => data?.pages.flatMap(({ items }) => items) ?? [], [data]);
  const kinds = useMemo(() => [...new Set(all.map((item) => item.kind))].sort(), [all]);
  const items = useMemo(() => {
    const source = q === '' ? all : (hits?.map(({ item }) => item) ?? []);
    return orderItems(source, { tier, kind, sort: q === '' && sort === '' ? 'importance' : sort });
  }, [all, hits, q, tier, kind, sort]);
  return { items, kinds, loaded: all.length, isWhole: data !== undefined && !hasNextPage, error };
}

interface FiltersProps {
  readonly kinds: readonly string[];
  /** How many are shown. */
  readonly children: ReactNode;
}

function Filters({ kinds, children }: FiltersProps): ReactNode {
  const [q] = useAddressState('q');
  const [tier, setTier] = useAddressState('tier');
  const [kind, setKind] = useAddressState('kind');
  const [sort, setSort] = useAddressState('sort');
  const choices = [
    ['Tier', tier, setTier, 'all tiers', ['hot', 'warm', 'cold', 'archived']],
    ['Kind', kind, setKind, 'all kinds', kinds],
    ['Order', sort, setSort, q === '' ? 'importance first' : 'best match first', orderNames],
  ] as const;
  return (
    <div className="filters">
      <SearchField label="Search the items" />
      {choices.map(([name, value, set, all, options]) => (
        <select
          key={name}
          aria-label={name}
          value={value}
          onChange={({ target }) => {
            set(target.value);
          }}
        >
          <option value="">{all}</option>
          {options.map((option) => (
            <option key={option} value={option}>
              {firstLine(option)}
            </option>
          ))}
        </select>
      ))}
      {children}
    </div>
  );
}

/** The same items from a shell. */
function ItemCommands({ agent }: { agent: string }): ReactNode {
  const [q] = useAddressState('q');
  const [tier] = useAddressState('tier');
  const [kind] = useAddressState('kind');
  const flags = [
    ...(tier === 'archived' ? ['--archived'] : flagOf('--tier', tier)),
    ...flagOf('--kind', kind),
    ...flagOf('--search', q),
  ];
  const archived = tier === 'archived' ? { archived: 'true' } : {};
  const query = new URLSearchParams({ ...(q === '' ? {} : { q }), ...archived }).toString();
  const path = q === '' ? '/items' : '/items/search';
  return (
    <Commands
      cli={['items', '--agent', agent, ...flags]}
      api={`/v1${agentPath(agent, query === '' ? path : `${path}?${query}`)}`}
    />
  );
}

const columns: readonly Column[] = [
  ['Kind'],
  ['Begins with'],
  ['Score', 'number'],
  ['Tokens', 'number'],
  ['Saved', 'number wide'],
];

interface ItemListProps {
  readonly agent: string;
  readonly chosen: string;
  readonly onChoose: (id: string) => void;
}

/** The items of an agent: filter, order, search, open. */
export function ContextItemList({ agent, chosen, onChoose }: ItemListProps): ReactNode {
  const { items, kinds, loaded, isWhole, error } = useFound(agent);
  if (error !== null) return <Problem error={error} />;
  if (isWhole && loaded === 0) {
    return (
      <Empty title="This agent has no items">
        <p>
          Save one:{' '}
          <CommandCode words={['save', '--agent', agent, '--kind', 'TASK', 'Port the parser']} />
        </p>
      </Empty>
    );
  }
  return (
    <>
      <Filters kinds={kinds}>
        <span className="muted number count" role="status">
          {`${countText(items.length)} of ${countText(loaded)} items${isWhole ? '' : ', loading more …'}`}
        </span>
      </Filters>
      <LiveList
        columns={columns}
        rowClass="item-row"
        rows={items}
        label="Items"
        keyOf={({ id }) => id}
        height={36}
      >
        {(item) => (
          <ItemRow agent={agent} item={item} isChosen={item.id === chosen} onChoose={onChoose} />
        )}
      </LiveList>
      <ItemCommands agent={agent} />
    </>
  );
}
