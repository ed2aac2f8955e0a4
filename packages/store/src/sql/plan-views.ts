import { defaultImportancePolicy, rankEpoch, tierBorder } from '@ctx/core';
import type { CollectionDefinition } from '../backend/store-backend.ts';

const { decayMs, pauseMs } = defaultImportancePolicy;

/** How a database writes what the views compute. */
interface ViewDialect {
  /** Whole ms since the epoch, at the moment of the query. */
  readonly nowMs: string;
  /** The function that returns the smallest of its arguments. */
  readonly least: string;
  /** e to the power of a number that is 0 or less. */
  readonly exp: (exponent: string) => string;
  /** A column of ms since the epoch, as people read it. */
  readonly moment: (column: string) => string;
  /** A text of the body; null where the body cannot be read in SQL. */
  readonly bodyText: (path: string) => string;
  readonly table: (collection: string) => string;
}

/** A view that shows a collection to people. */
interface View {
  readonly name: string;
  readonly collection: string;
  /** Another collection that it shows, and what of it. */
  readonly beside?: { readonly collection: string; readonly select: string; readonly on: string };
  /** Key parts and columns that the view reads: made only where the collection has them all. */
  readonly needs: readonly string[];
  readonly select: string;
}

function contextItems({ nowMs, least, exp, moment, bodyText }: ViewDialect): View {
  // The agent's own time: `agentTime` of the store.
  const agentNow = `(${least}(${nowMs}, coalesce(active_at + ${String(pauseMs)}, ${nowMs})) - coalesce(idle_ms, 0))`;
  // What `importanceOf` in core takes off a rank: the same operations on the same numbers.
  const elapsed = `((${agentNow} - ${String(rankEpoch)}) / ${String(decayMs)}.0)`;
  // Above 1 counts as 1, what is pinned included.
  const importance = exp(`${least}(0.0, rank - ${elapsed})`);
  const borderOf = (name: 'hot' | 'warm'): string =>
    `(${String(tierBorder(name, rankEpoch, defaultImportancePolicy))} + ${elapsed})`;
  const tier = `CASE WHEN rank >= ${borderOf('hot')} THEN 'HOT' WHEN rank >= ${borderOf('warm')} THEN 'WARM' ELSE 'COLD' END`;
  return {
    // The columns of seed 004's table, tenant in front, what ctx adds after.
    name: 'context_items',
    collection: 'items',
    beside: {
      collection: 'checkpoint_heads',
      select: 'SELECT tenant AS of_tenant, agent_id AS of_agent, active_at, idle_ms',
      on: 'of_tenant = tenant AND of_agent = agent_id',
    },
    needs: [
      ...['agent_id', 'item_id', 'kind', 'rank', 'access_count', 'created_at'],
      ...['last_accessed_at', 'pinned', 'archived', 'finished_at', 'tokens'],
    ],
    select: `SELECT tenant, item_id AS id, agent_id, kind AS item_type, ${bodyText('content')} AS content,
      ${importance} AS importance_score, ${tier} AS tier, access_count,
      ${moment('created_at')} AS created_at, ${moment('last_accessed_at')} AS last_accessed,
      pinned, archived, finished_at IS NOT NULL AS finished, tokens`,
  };
}

function toolOutputs({ moment }: ViewDialect): View {
  return {
    name: 'tool_outputs',
    collection: 'outputs',
    needs: [
      ...['session_id', 'output_id', 'tool_name', 'description', 'path', 'query_id', 'task_id'],
      ...['created_at', 'bytes', 'tokens', 'lines', 'fingerprint', 'preview'],
    ],
    select: `SELECT tenant, output_id AS id, session_id, tool_name, description, path, query_id, task_id,
      ${moment('created_at')} AS created_at, bytes, tokens, lines, fingerprint, preview`,
  };
}

function canShow({ collection, needs }: View, definition: CollectionDefinition): boolean {
  const names = [...definition.key, ...Object.keys(definition.columns)];
  return definition.name === collection && ['tenant', ...needs].every((one) => names.includes(one));
}

/**
 * Returns the views over collections, each with its name and its SELECT. `sessions` needs none: its table reads well by itself. A
 * collection goes before a view of its name.
 */
export function planViews(
  definitions: readonly CollectionDefinition[],
  dialect: ViewDialect,
): { readonly name: string; readonly select: string }[] {
  const names = definitions.map(({ name }) => name);
  return [contextItems(dialect), toolOutputs(dialect)]
    .filter(({ name }) => !names.includes(name))
    .filter(({ beside }) => beside === undefined || names.includes(beside.collection))
    .filter((view) => definitions.some((definition) => canShow(view, definition)))
    .map(({ name, collection, beside, select }) => {
      const own = `${select} FROM ${dialect.table(collection)}`;
      if (beside === undefined) return { name, select: own };
      const other = `${beside.select} FROM ${dialect.table(beside.collection)}`;
      return { name, select: `${own} LEFT JOIN (${other}) AS beside ON ${beside.on}` };
    });
}
