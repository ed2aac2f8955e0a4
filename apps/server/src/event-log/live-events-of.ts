import { decodeText } from '@ctx/core/encoding';
import { collections } from '@ctx/store';
import type { ColumnValue, PutOperation, WriteOperation } from '@ctx/store/backend';
import type { LiveEventDraft, LiveEventType } from './live-event.ts';
import { toldEvents } from './tell-tier-changes.ts';

/** From so many equal ones of a write on, one event stands for all of them. */
export const coalesceFrom = 16;

type Change =
  | PutOperation
  | Extract<WriteOperation, { readonly type: 'patch' }>
  | Extract<WriteOperation, { readonly type: 'delete' }>;

const part = ({ key }: Change, index: number): string => decodeText(key[index] ?? '');

function tokensOf(columns: Readonly<Record<string, ColumnValue>>): { tokens?: number } {
  const tokens = columns['tokens'];
  return typeof tokens === 'number' ? { tokens } : {};
}

function itemTypeOf(change: Change): LiveEventType | undefined {
  if (change.type === 'delete') return 'item-deleted';
  if (change.type === 'put') return 'item-saved';
  const { columns } = change;
  if (columns['archived'] === 1) return 'item-archived';
  if ('access_count' in columns) return 'item-touched';
  const movesTier = ['archived', 'pinned', 'rank'].some((name) => name in columns);
  return movesTier ? 'tier-changed' : undefined;
}

function itemEvents(change: Change): LiveEventDraft[] {
  const type = itemTypeOf(change);
  if (type === undefined) return [];
  const tokens = change.type === 'put' ? tokensOf(change.columns) : {};
  return [{ type, agentId: part(change, 1), id: part(change, 2), ...tokens }];
}

function outputEvents(change: Change): LiveEventDraft[] {
  const of = { sessionId: part(change, 1), id: part(change, 2) };
  if (change.type === 'delete') return [{ type: 'output-deleted', ...of }];
  const isNew = change.type === 'put' && change.expectVersion === 0;
  return isNew ? [{ type: 'output-saved', ...of, ...tokensOf(change.columns) }] : [];
}

/** Without the id of the fact: it is made of the text, which is not to be told from the log once it is forgotten. */
function factEvents(change: Change): LiveEventDraft[] {
  return [{ type: 'facts-updated', agentId: part(change, 1) }];
}

function sessionEvents(change: Change): LiveEventDraft[] {
  const sessionId = part(change, 1);
  if (change.type === 'delete') return [{ type: 'session-deleted', sessionId }];
  const agent = change.columns['agent_id'];
  const agentId = typeof agent === 'string' ? { agentId: decodeText(agent) } : {};
  return [{ type: 'session-updated', sessionId, ...agentId }];
}

/** Entries of a log that mean more than that the session went on. */
function logTypeOf({ columns, body }: PutOperation): LiveEventType | undefined {
  const type = columns['type'];
  if (type === 'window-cache-miss') return 'cache-miss';
  if (type === 'window-compacted') return 'compaction-committed';
  // A flush stands in the request that it was made for; ids and texts of a log have their quotes escaped.
  return type === 'window-requested' && body.includes('"flush":{') ? 'window-flushed' : undefined;
}

function logEvents(change: Change): LiveEventDraft[] {
  if (change.type !== 'put') return [];
  const sessionId = part(change, 1);
  const type = logTypeOf(change);
  const id = String(Number(change.key[2]));
  const more: LiveEventDraft[] = type === undefined ? [] : [{ type, sessionId, id }];
  return [...more, { type: 'session-updated', sessionId }];
}

function compactionEvents(change: Change): LiveEventDraft[] {
  const isNew = change.type === 'put' && change.columns['state'] === 'applied';
  const id = String(Number(change.key[2]));
  return isNew ? [{ type: 'compaction-committed', sessionId: part(change, 1), id }] : [];
}

/** A restore keeps the state before it as a checkpoint of its own: that one stands for it. */
function checkpointEvents(change: Change): LiveEventDraft[] {
  if (change.type !== 'put') return [];
  const { checkpoint_id: id, trigger, session_id: sessionId } = change.columns;
  const type = trigger === 'before-restore' ? 'checkpoint-restored' : 'flash-saved';
  return [
    {
      type,
      agentId: part(change, 1),
      ...(typeof sessionId === 'string' ? { sessionId: decodeText(sessionId) } : {}),
      ...(typeof id === 'string' ? { id: decodeText(id) } : {}),
    },
  ];
}

function claimEvents(change: Change): LiveEventDraft[] {
  return change.type === 'put' ? toldEvents(change) : [];
}

const tellers: ReadonlyMap<string, (change: Change) => LiveEventDraft[]> = new Map([
  ['items', itemEvents],
  ['facts', factEvents],
  ['outputs', outputEvents],
  ['sessions', sessionEvents],
  ['events', logEvents],
  ['compactions', compactionEvents],
  ['checkpoints', checkpointEvents],
  [collections.idempotency.name, claimEvents],
]);

/** One event for many equal ones; of a session that was updated, always one. */
function coalesce(drafts: readonly LiveEventDraft[]): readonly LiveEventDraft[] {
  if (drafts.length < 2) return drafts;
  const groups = new Map<string, LiveEventDraft[]>();
  for (const draft of drafts) {
    const name = JSON.stringify([draft.type, draft.agentId, draft.sessionId]);
    const isSession = draft.type === 'session-updated';
    const key = isSession ? JSON.stringify([draft.type, draft.sessionId]) : name;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [draft]);
    else if (!isSession) group.push(draft);
  }
  return [...groups.values()].flatMap((group) => {
    const [first] = group;
    if (group.length < coalesceFrom || first === undefined) return group;
    const { id: _id, tokens: _tokens, ...shared } = first;
    return [{ ...shared, count: group.length }];
  });
}

/**
 * What a write means to those who watch, by tenant (as its key part is written).
 * Pure; speaks of ids and sizes only; a write that changes nothing to be seen gives nothing. Makes one pass.
 */
export function liveEventsOf(
  operations: readonly WriteOperation[],
): ReadonlyMap<string, readonly LiveEventDraft[]> {
  const byTenant = new Map<string, LiveEventDraft[]>();
  for (const operation of operations) {
    if (operation.type === 'check') continue;
    const drafts = tellers.get(operation.collection)?.(operation) ?? [];
    const tenant = operation.key[0] ?? '';
    for (const draft of drafts) {
      const known = byTenant.get(tenant);
      if (known === undefined) byTenant.set(tenant, [draft]);
      else known.push(draft);
    }
  }
  return new Map([...byTenant].map(([tenant, drafts]) => [tenant, coalesce(drafts)]));
}
