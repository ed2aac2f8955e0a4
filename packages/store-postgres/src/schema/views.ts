import { defaultImportancePolicy, rankEpoch, tierBorder } from '@ctx/core';
import type { CollectionDefinition } from '@ctx/store/backend';
import { quoteName, recordBody } from './names.ts';

/** A view that shows a collection to a person with psql. */
interface View {
  readonly name: string;
  readonly collection: string;
  /** Another collection that it shows, and what of it. */
  readonly beside?: { readonly collection: string; readonly select: string; readonly on: string };
  /** Key parts and columns that the view reads: made only where the collection has them all. */
  readonly needs: readonly string[];
  readonly select: string;
}

const { decayMs, pauseMs } = defaultImportancePolicy;

/** The moment of the query; tests put another in its place. */
export const viewMoment = 'statement_timestamp()';

/** Whole ms since the epoch. */
const nowMs = `CAST(floor(extract(epoch FROM ${viewMoment}) * 1000) AS double precision)`;

/** The moment in the agent's own time: `agentTime` of the store. */
const agentNowMs = `(least(${nowMs}, coalesce(active_at + ${String(pauseMs)}, ${nowMs})) - coalesce(idle_ms, 0))`;

/** What `importanceOf` in core takes off a rank, the same operations on the same numbers. */
const elapsed = `((${agentNowMs} - ${String(rankEpoch)}) / ${String(decayMs)}.0)`;

/** Below, `exp` of PostgreSQL fails for lack of digits. */
const lowestExponent = -700;

/** Importance out of rank, with the default policy: see `importanceOf` in core. Above 1 counts as 1, what is pinned included. */
const importance = `exp(greatest(${String(lowestExponent)}, least(0, rank - ${elapsed})))`;

/** The border of a tier as `tierBorder` in core has it, to the last digit: so the view and the queries never differ. */
function borderSql(tier: 'hot' | 'warm'): string {
  return `(${String(tierBorder(tier, rankEpoch, defaultImportancePolicy))} + ${elapsed})`;
}

const tier = `CASE WHEN rank >= ${borderSql('hot')} THEN 'HOT' WHEN rank >= ${borderSql('warm')} THEN 'WARM' ELSE 'COLD' END`;

function momentSql(column: string): string {
  return `to_timestamp(${column} / 1000.0)`;
}

/** A text of the body; null where the body is compressed, or holds what a text of PostgreSQL cannot. */
function bodyTextSql(path: string): string {
  const isReadable = `strpos(${recordBody}, '\\u0000') = 0 AND strpos(${recordBody}, '\\ud') = 0`;
  return `CASE WHEN ${isReadable} THEN ${recordBody}::json ->> '${path}' END`;
}

const views: readonly View[] = [
  {
    // The columns of seed 004's table, tenant in front, what ctx adds behind.
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
    select: `SELECT tenant, item_id AS id, agent_id, kind AS item_type, ${bodyTextSql('content')} AS content,
      ${importance} AS importance_score, ${tier} AS tier, access_count,
      ${momentSql('created_at')} AS created_at, ${momentSql('last_accessed_at')} AS last_accessed,
      pinned, archived, finished_at IS NOT NULL AS finished, tokens`,
  },
  {
    name: 'tool_outputs',
    collection: 'outputs',
    needs: [
      ...['session_id', 'output_id', 'tool_name', 'description', 'path', 'query_id', 'task_id'],
      ...['created_at', 'bytes', 'tokens', 'lines', 'fingerprint', 'preview'],
    ],
    select: `SELECT tenant, output_id AS id, session_id, tool_name, description, path, query_id, task_id,
      ${momentSql('created_at')} AS created_at, bytes, tokens, lines, fingerprint, preview`,
  },
];

function isReadable(view: View, definition: CollectionDefinition): boolean {
  const names = [...definition.key, ...Object.keys(definition.columns)];
  return ['tenant', ...view.needs].every((name) => names.includes(name));
}

/** A view that the schema should have, and how it is asked. */
export interface WantedView {
  readonly name: string;
  readonly select: string;
}

/** The views over collections. `sessions` needs none: its table reads well by itself. A collection goes before a view of its name. */
export function viewsOf(
  definitions: readonly CollectionDefinition[],
  schema: string,
): WantedView[] {
  const names = definitions.map(({ name }) => name);
  return views
    .filter((view) => !names.includes(view.name))
    .filter(({ beside }) => beside === undefined || names.includes(beside.collection))
    .filter((view) =>
      definitions.some((one) => one.name === view.collection && isReadable(view, one)),
    )
    .map(({ name, collection, beside, select }) => {
      const table = (of: string): string => `${schema}.${quoteName(of)}`;
      const own = `${select} FROM ${table(collection)}`;
      if (beside === undefined) return { name, select: own };
      const other = `${beside.select} FROM ${table(beside.collection)}`;
      return { name, select: `${own} LEFT JOIN (${other}) AS beside ON ${beside.on}` };
    });
}

/** Makes a view anew. */
export function viewSql({ name, select }: WantedView, schema: string): string[] {
  return [dropViewSql(name, schema), `CREATE VIEW ${schema}.${quoteName(name)} AS ${select}`];
}

/** Takes a view away, also to make room for a collection that is named like it. */
export function dropViewSql(name: string, schema: string): string {
  return `DROP VIEW IF EXISTS ${schema}.${quoteName(name)}`;
}

/** Whether a view may bear this name. */
export function isViewName(name: string): boolean {
  return views.some((view) => view.name === name);
}
