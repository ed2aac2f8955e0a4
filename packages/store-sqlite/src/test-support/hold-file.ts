import { DatabaseSync } from '@photostructure/sqlite';

/** Holds a file for itself for so many milliseconds, and says when it has it. */
const [path = '', ms = '0'] = process.argv.slice(2);
const database = new DatabaseSync(path);
database.exec('PRAGMA journal_mode = DELETE; BEGIN EXCLUSIVE');
console.log('held');
setTimeout(() => {
  database.exec('COMMIT');
  database.close();
}, Number(ms));
