import { loadDriver } from '../driver/driver.ts';
import type { SqliteDriver } from '../driver/sqlite-driver.ts';
import { openSqliteStore } from '../open-sqlite-store.ts';

/** Forgets a fact, and is killed after its record is deleted, before its words are erased. */
const [path = '', text = ''] = process.argv.slice(2);

const load = await loadDriver(undefined);
let mayMerge = true;

/** Ends the process where the index of words is to be merged. */
const dying: SqliteDriver = (file) => {
  const database = load(file);
  return {
    exec: (sql) => database.exec(sql),
    close: () => database.close(),
    prepare: (sql) => {
      const statement = database.prepare(sql);
      if (!sql.includes("'merge'")) return statement;
      return {
        ...{ get: statement.get.bind(statement), all: statement.all.bind(statement) },
        iterate: statement.iterate.bind(statement),
        run: (...values) => {
          if (!mayMerge) process.kill(process.pid, 'SIGKILL');
          return statement.run(...values);
        },
      };
    },
  };
};

const store = await openSqliteStore({ path, driver: dying });
mayMerge = false;
await store.facts.forget({ text });
process.stdout.write('forgotten');
