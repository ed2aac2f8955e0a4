import { defaultImportancePolicy, rankEpoch, tierBorder } from '@ctx/core';
import type { CollectionDefinition } from '@ctx/store/backend';
import { quoteName, recordBody } from './names.ts';

/** A view that shows a collection to a person with a SQLite shell. */
interface View {
  readonly name: string;
  readonly collection: string;
  /** Another collection that it shows. */
  readonly beside?: string;
  /** Key parts and columns that the view reads: made only where the collection has them all. */
  readonly needs: readonly string[];
  readonly select: string;
}

const { decayMs, pauseMs } = defaultImportancePolicy;

/** Whole ms since the epoch, at the moment of the query: SQLite keeps no less, but gives it as a fraction of days. */
const nowMs = `CAST(round((julianday('now') - 2440587.5) * 86400000.0) AS INTEGER)`;

/** The moment in the agent's own time: `agentTime` of the store. */
const agentNowMs = `(min(${nowMs}, coalesce(active_at + ${pauseMs}, ${nowMs})) - coalesce(idle_ms, 0))`;

/** What `importanceOf` in core takes off a rank, the same operations on the same numbers. */
const elapsed = `(${agentNowMs} - ${rankEpoch}) / ${decayMs}.0`;

/** Importance out of rank, with the default policy: see `importanceOf` in core. Above 1 counts as 1, what is pinned included. */
const importance = `exp(min(0.0, rank - ${elapsed}))`;

/** The border of a tier as `tierBorder` in core has it, to the last digit: so the view and the queries never differ. */
function borderSql(tier: 'hot' | 'warm'): string {
  return `${tierBorder(tier, rankEpoch, defaultImportancePolicy)} + ${elapsed}`;
}

const tier = `CASE WHEN rank >= ${borderSql('hot')} THEN 'HOT' WHEN rank >= ${borderSql('warm')} THEN 'WARM' ELSE 'COLD' END`;

function momentSql(column: string): string {
  return `strftime('%Y-%m-%d %H:%M:%f', ${column} / 1000.0, 'unixepoch')`;
}

/** A text of the body; null where the body is compressed. */
function bodyTextSql(path: string): string {
  return `CASE typeof(${recordBody}) WHEN 'text' THEN json_extract(${recordBody}, '$.${path}') END`;
}

const views: readonly View[] = [
  {
    // The columns of seed 004's table, tenant in front, what ctx adds behind.
    name: 'context_items',
    collection: 'items',
    beside: 'checkpoint_heads',
    needs: [
      ...['agent_id', 'item_id', 'kind', 'rank', 'access_count', 'created_at'],
      ...['last_accessed_at', 'pinned', 'archived', 'finished_at', 'tokens'],
    ],
    select: `SELECT tenant, item_id AS id, agent_id, kind AS item_type, ${bodyTextSql('content')} AS content,
        ${importance} AS importance_score, ${tier} AS tier, access_count,
        ${momentSql('created_at')} AS created_at, ${momentSql('last_accessed_at')} AS last_accessed,
        pinned, archived, finished_at IS NOT NULL AS finished, tokens FROM items
        LEFT JOIN (SELECT tenant AS of_tenant, agent_id AS of_agent, active_at, idle_ms FROM checkpoint_heads)
        ON of_tenant = tenant AND of_agent = agent_id`,
  },
  {
    name: 'tool_outputs',
    collection: 'outputs',
    needs: [
      ...['session_id', 'output_id', 'tool_name', 'description', 'path', 'query_id', 'task_id'],
      ...['created_at', 'bytes', 'tokens', 'lines', 'fingerprint', 'preview'],
    ],
    select: `SELECT tenant, output_id AS id, session_id, tool_name, description, path, query_id, task_id,
        ${momentSql('created_at')} AS created_at, bytes, tokens, lines, fingerprint, preview FROM outputs`,
  },
];

function isReadable(view: View, definition: CollectionDefinition): boolean {
  const names = [...definition.key, ...Object.keys(definition.columns)];
  return ['tenant', ...view.needs].every((name) => names.includes(name));
}

/** A view to make anew, with what the file's schema says of it once it is made. */
export interface WantedView {
  readonly name: string;
  readonly sql: string;
}

/** The views over collections. `sessions` needs none: its table reads well by itself. */
export function viewsOf(definitions: readonly CollectionDefinition[]): WantedView[] {
  const names = definitions.map(({ name }) => name);
  return views
    .filter(({ beside }) => beside === undefined || names.includes(beside))
    .filter((view) =>
      definitions.some((one) => one.name === view.collection && isReadable(view, one)),
    )
    .map(({ name, select }) => ({ name, sql: `CREATE VIEW ${quoteName(name)} AS ${select}` }));
}

/** Takes a view away, also to make room for a collection that is named like it. */
export function dropViewSql(name: string): string[] {
  const isView = views.some((view) => view.name === name);
  return isView ? [`DROP VIEW IF EXISTS ${quoteName(name)}`] : [];
}
