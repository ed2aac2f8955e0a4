import type { Pool } from 'pg';
import { type FillPlace, tenantName } from './fill-tenants.ts';

/** Calls by hand. */
export interface HandSql {
  readonly hot: (tenant: string) => Promise<unknown>;
  readonly get: (tenant: string, id: string) => Promise<unknown>;
  readonly save: (tenant: string, id: string, content: string) => Promise<unknown>;
}

/** What SQL by hand is asked for. */
export interface HandPlace extends FillPlace {
  readonly agentId: string;
  /** The rank from which items are HOT. */
  readonly border: number;
}

const hotOf = (columns: string, schema: string): string => `SELECT ${columns} FROM "${schema}".items
  WHERE tenant = $1 AND agent_id = $2 AND archived = 0 AND rank >= $3 ORDER BY rank DESC, item_id DESC LIMIT 101`;

const oneOf = (columns: string, schema: string): string =>
  `SELECT ${columns} FROM "${schema}".items WHERE tenant = $1 AND agent_id = $2 AND item_id = $3`;

/** The least SQL for a page of HOT items, a peek and a save; the save goes into a table of seven columns with one index beside its key. */
export function leanSql({ pool, schema, agentId, border }: HandPlace): HandSql {
  const hot = hotOf('item_id, kind, rank, tokens, _body', schema);
  const one = oneOf('*', schema);
  const save = `INSERT INTO "${schema}".plain_items (tenant, agent_id, item_id, kind, rank, tokens, body) VALUES ($1, $2, $3, $4, $5, $6, $7)`;
  return {
    hot: (tenant) => pool.query(hot, [tenant, agentId, border]),
    get: (tenant, id) => pool.query(one, [tenant, agentId, id]),
    save: (tenant, id, content) => pool.query(save, [tenant, agentId, id, 'CODE', 1, 10, content]),
  };
}

interface Column {
  readonly name: string;
  readonly value: string | null;
}

/** The columns of the table of items, with their values in one of them as text. */
async function columnsOf(pool: Pool, schema: string): Promise<Column[]> {
  const { rows } = await pool.query<{ name: string }>(
    `SELECT column_name AS name FROM information_schema.columns
     WHERE table_schema = $1 AND table_name = 'items' ORDER BY ordinal_position`,
    [schema],
  );
  const names = rows.map(({ name }) => name);
  const texts = names.map((name) => `"${name}"::text`).join(', ');
  const found = await pool.query<(string | null)[]>({
    text: `SELECT ${texts} FROM "${schema}".items WHERE tenant = $1 AND item_id = 'item-0'`,
    values: [tenantName(0)],
    rowMode: 'array',
  });
  return names.map((name, at) => ({ name, value: found.rows[0]?.[at] ?? null }));
}

/**
 * The same by a program that keeps what ctx keeps: all columns of an item, its words for the search, every index. It keeps no note by
 * which a save is done once where a connection is lost in the middle of it.
 */
export async function sameSql({ pool, schema, agentId, border }: HandPlace): Promise<HandSql> {
  const columns = await columnsOf(pool, schema);
  const read = columns
    .map(({ name }) => name)
    .filter((name) => !['_words', '_terms'].includes(name));
  const listed = read.map((name) => `"${name}"`).join(', ');
  const [hot, one] = [hotOf(listed, schema), oneOf(listed, schema)];
  const names = columns.map(({ name }) => `"${name}"`).join(', ');
  const places = columns.map((_, at) => `$${String(at + 1)}`).join(', ');
  const save = `INSERT INTO "${schema}".items (${names}) VALUES (${places})`;
  const given = new Map([['agent_id', agentId]]);
  return {
    hot: (tenant) => pool.query(hot, [tenant, agentId, border]),
    get: (tenant, id) => pool.query(one, [tenant, agentId, id]),
    save: (tenant, id) => {
      const own = new Map([...given, ['tenant', tenant], ['item_id', id]]);
      return pool.query(
        save,
        columns.map(({ name, value }) => own.get(name) ?? value),
      );
    },
  };
}
