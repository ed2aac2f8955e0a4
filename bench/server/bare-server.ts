/**
 * Fastify with the same schemas, which answers what the server answered, from memory; one of its routes inserts a row first, as
 * durable as the store writes, one writes all rows that the store writes, and one reads the rows of its answer. Arguments: a folder that holds `answers.json`, the answers by path.
 */
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import Fastify from 'fastify';
import { validatorCompiler, type ZodTypeProvider } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { answerParent } from './child-server.ts';
import { type Load, loads, readingPath, rowsPath, writingPath } from './loads.ts';
import { rawSaves } from './raw-saves.ts';

const [folder = ''] = process.argv.slice(2);
const answersSchema = z.record(z.string(), z.record(z.string(), z.unknown()));
const answers = answersSchema.parse(JSON.parse(readFileSync(join(folder, 'answers.json'), 'utf8')));

const app = Fastify({ logger: false }).withTypeProvider<ZodTypeProvider>();
app.setValidatorCompiler(validatorCompiler);
app.setSerializerCompiler(() => (answer) => JSON.stringify(answer));

const id = z.string().regex(/^[A-Za-z0-9_~][A-Za-z0-9_-]{0,1400}$/);
const answer = z.record(z.string(), z.unknown());
const body = z.strictObject({
  item_type: z.string().min(1).max(64),
  content: z.string().min(1),
  importance_score: z.number().min(0).max(1).exactOptional(),
});
const querystring = z.strictObject({
  limit: z.coerce.number().int().min(1).max(200).default(50),
  cursor: z.string().optional(),
  tier: z.enum(['hot', 'warm', 'cold']).optional(),
});

const database = new DatabaseSync(join(folder, 'bare.db'));
database.exec(
  [
    'PRAGMA journal_mode=WAL',
    'PRAGMA synchronous=NORMAL',
    'CREATE TABLE items (id TEXT PRIMARY KEY, kind TEXT, rank REAL, at INTEGER, body TEXT NOT NULL)',
    'CREATE INDEX by_rank ON items (kind, rank)',
  ].join(';'),
);
const insert = database.prepare('INSERT INTO items VALUES (?, ?, ?, ?, ?)');

function keep(given: unknown): void {
  const text = JSON.stringify(given);
  insert.run(randomUUID(), 'TASK', performance.now(), Date.now(), text);
}

const store = await rawSaves(join(folder, 'raw.db'));

async function keepAsTheStore(given: unknown): Promise<void> {
  const { item_type: kind, content } = body.parse(given);
  await store.save(kind, content);
}

const found = database.prepare('SELECT body FROM items WHERE kind = ? ORDER BY rank DESC LIMIT ?');

/** Writes the items of an answer as rows, which {@link readRows} reads. */
function keepRows(items: unknown): void {
  if (!Array.isArray(items)) return;
  database.exec('BEGIN');
  for (const [at, item] of items.entries()) {
    insert.run(randomUUID(), 'read', -at, Date.now(), JSON.stringify(item));
  }
  database.exec('COMMIT');
}

function readRows(): unknown[] {
  const rows: readonly unknown[] = found.all('read', 20);
  return rows.map((row): unknown => {
    const body = typeof row === 'object' && row !== null && 'body' in row ? row.body : '';
    return JSON.parse(String(body));
  });
}

function addRoute({ method, path, barePath = path }: Load): void {
  const [route = ''] = barePath.split('?');
  const made = answer.parse(answers[path]);
  app.route({
    method,
    url: route.replace(/(agents|sessions|written|rows|read)\/\w+/, '$1/:id'),
    schema: {
      params: z.strictObject({ id }),
      querystring,
      response: { 200: answer },
      ...(method === 'POST' ? { body } : {}),
    },
    handler: async (request) => {
      if (barePath === writingPath) keep(request.body);
      if (barePath === rowsPath) await keepAsTheStore(request.body);
      return barePath === readingPath ? { ...made, items: readRows() } : made;
    },
  });
}

const routes = new Map(loads.map((load) => [load.barePath ?? load.path, load]));
for (const load of routes.values()) {
  if (load.barePath === readingPath) keepRows(answers[load.path]?.['items']);
  addRoute(load);
}
const url = await app.listen({ host: '127.0.0.1', port: 0 });
answerParent({ url, key: '' }, async () => {
  await app.close();
  database.close();
  store.close();
});
