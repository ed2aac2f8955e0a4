import { DatabaseSync } from '@photostructure/sqlite';
import { fieldsOf, type Rival } from './rival.ts';

/** SQLite's full text with its Porter tokenizer, columns of equal weight, any word of the query. */
export const fts5: Rival = {
  name: 'FTS5 porter',
  build: (documents) => {
    const database = new DatabaseSync(':memory:');
    database.exec(
      `CREATE VIRTUAL TABLE texts USING fts5(id UNINDEXED, title, args, body, tokenize = 'porter unicode61')`,
    );
    const insert = database.prepare('INSERT INTO texts VALUES (?, ?, ?, ?)');
    database.exec('BEGIN');
    for (const document of documents) {
      const { id, title, args, body } = fieldsOf(document);
      insert.run(id, title, args, body);
    }
    database.exec('COMMIT');
    const select = database.prepare(
      'SELECT id FROM texts WHERE texts MATCH ? ORDER BY bm25(texts) LIMIT 1000',
    );
    return (text) => {
      const match = anyWord(text);
      return match === ''
        ? []
        : select.all(match).map((row) => String(Reflect.get(Object(row), 'id')));
    };
  },
};

/** MATCH throws on raw punctuation, so every word is quoted. */
export function anyWord(text: string): string {
  const words = new Set(text.toLowerCase().split(/[^\p{L}\p{N}]+/u));
  words.delete('');
  return [...words].map((word) => `"${word}"`).join(' OR ');
}
