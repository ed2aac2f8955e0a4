import { openStore } from '@ctx/store';
import { postgresBackend } from '@ctx/store-postgres';
import type { Pool } from 'pg';
import { seededRandom, zipfWords } from '../retrieval/synthetic-outputs.ts';
import { type FillPlace, scopeSql, tenantName } from './fill-tenants.ts';

/** Outputs of one session; each session is copied from the first. */
export const outputsEach = 50;
/** The session of each tenant, and the first of those of the large one. */
export const outputSession = 's-0';
/** A tenant with half of all outputs. */
export const largeTenant = 'large';
/** So many sessions are copied by one statement. */
const sessionsAtOnce = 500;
const wordsEach = 120;
const vocabulary = 20_000;

/** A word that only the outputs of the copy of this number have. */
export function rareWord(copy: number): string {
  return `zq${String(copy).replaceAll(/\d/g, (digit) => String.fromCharCode(97 + Number(digit)))}`;
}

/** Words that some outputs of each session have: of the vocabulary's, by rank. */
export function wordOfRank(rank: number): string {
  return zipfWords(vocabulary, seededRandom(1)).word(rank);
}

async function makeFirst({ url, schema }: FillPlace): Promise<void> {
  const backend = postgresBackend({ url, schema });
  const store = await openStore(backend, { tenant: tenantName(0) });
  const words = zipfWords(vocabulary, seededRandom(1));
  const inputs = Array.from({ length: outputsEach }, (_, at) => ({
    ...{ sessionId: outputSession, toolName: 'read', args: { file: `src/part${String(at)}.ts` } },
    result: Array.from({ length: wordsEach }, () => words.next()).join(' '),
  }));
  const { outputs } = await store.outputs.tally();
  if (outputs === 0) await store.outputs.saveAll(inputs);
  await store.close();
}

/** Copies of the first session: of these numbers, where `tenant` and `session` are SQL of the number `n`. */
interface Copies {
  readonly from: number;
  readonly to: number;
  readonly tenant: string;
  readonly session: string;
}

async function copy({ pool, schema }: FillPlace, { from, to, tenant, session }: Copies) {
  const { rows } = await pool.query<{ name: string }>(
    `SELECT column_name AS name FROM information_schema.columns WHERE table_schema = $1 AND table_name = 'outputs'
     AND column_name NOT IN ('tenant', 'session_id', 'created_at', '_words', '_terms') ORDER BY ordinal_position`,
    [schema],
  );
  const columns = rows.map(({ name }) => `"${name}"`).join(', ');
  const scopes = [`'["' || ${tenant} || '"]'`, `'["' || ${tenant} || '","' || ${session} || '"]'`];
  const rare = `'zq' || translate(n::text, '0123456789', 'abcdefghij')`;
  for (let first = from; first < to; first += sessionsAtOnce) {
    const last = Math.min(to, first + sessionsAtOnce) - 1;
    await pool.query(
      `INSERT INTO "${schema}".outputs (tenant, session_id, created_at, _words, _terms, ${columns})
       SELECT ${tenant}, ${session}, created_at - n * 1000, ARRAY[${scopes.map(scopeSql).join(', ')}, ${rare}] || _words[3:],
         _terms || jsonb_build_object(${rare}, '[0, 1]'::jsonb), ${columns}
       FROM generate_series(${String(first)}, ${String(last)}) AS n, "${schema}".outputs WHERE tenant = 'tenant-0' AND session_id = '${outputSession}'`,
    );
  }
}

async function countOf(pool: Pool, schema: string, where: string): Promise<number> {
  const sql = `SELECT count(DISTINCT (tenant, session_id)) AS n FROM "${schema}".outputs WHERE ${where}`;
  const { rows } = await pool.query<{ n: string }>(sql);
  return Number(rows[0]?.n ?? 0);
}

/** Fills half of so many outputs into a session for each tenant, as far as they go, and half into the large one; what is there stays. */
export async function fillOutputs(place: FillPlace, outputs: number, tenants: number) {
  const { pool, schema } = place;
  await makeFirst(place);
  const sessions = Math.floor(outputs / 2 / outputsEach);
  await copy(place, {
    from: Math.max(1, await countOf(pool, schema, `tenant <> '${largeTenant}'`)),
    to: Math.min(tenants, sessions),
    ...{ tenant: `'tenant-' || n`, session: `'${outputSession}'` },
  });
  await copy(place, {
    from: await countOf(pool, schema, `tenant = '${largeTenant}'`),
    to: sessions,
    ...{ tenant: `'${largeTenant}'`, session: `'s-' || n` },
  });
  await pool.query(`VACUUM (ANALYZE) "${schema}".outputs`);
}
