import fs from 'node:fs';
import { Server } from 'node:http';
import { syncBuiltinESMExports } from 'node:module';
import { Socket } from 'node:net';
import { serve } from '@ctx/server';
import { fsBackend } from '@ctx/store-fs';
import { postgresBackend } from '@ctx/store-postgres';
import { sqliteBackend } from '@ctx/store-sqlite';
import { DatabaseSync } from '@photostructure/sqlite';

/**
 * A server that dies in the n-th step of a request with an Idempotency-Key: a change of a file, a statement of SQLite, or what goes to a
 * socket, be it that of a database or of the caller. With 0 it lives, and says how many steps there were.
 */
const [kind = '', path = '', place = '0'] = process.argv.slice(2);

type SqliteDriver = NonNullable<Parameters<typeof sqliteBackend>[0]['driver']>;

let isCounting = false;
let steps = 0;

function step(): void {
  if (!isCounting) return;
  steps += 1;
  if (steps === Number(place)) process.kill(process.pid, 'SIGKILL');
}

/** Counts the calls of members of an object. */
function countCalls(target: object, names: readonly string[]): void {
  for (const name of names) {
    const plain: unknown = Reflect.get(target, name);
    if (typeof plain !== 'function') continue;
    const counted = function (this: unknown, ...given: unknown[]): unknown {
      step();
      return Reflect.apply(plain, this, given);
    };
    Reflect.set(target, name, counted);
  }
}

const changes = [
  'writeSync',
  'writeFileSync',
  'renameSync',
  'linkSync',
  'symlinkSync',
  'unlinkSync',
];
countCalls(fs, [...changes, 'rmSync', 'mkdirSync', 'rmdirSync', 'ftruncateSync', 'fsync']);
syncBuiltinESMExports();
countCalls(Socket.prototype, ['write']);

/** The driver, each of whose statements is a step. */
const countedDriver: Exclude<SqliteDriver, string> = (file) => {
  const database = new DatabaseSync(file, { defensive: !file.startsWith('file:') });
  const counted = <Given extends unknown[], Result>(call: (...given: Given) => Result) => {
    return (...given: Given): Result => {
      step();
      return call(...given);
    };
  };
  return {
    exec: counted((sql: string) => {
      database.exec(sql);
    }),
    prepare: (sql) => {
      const statement = database.prepare(sql) as ReturnType<
        ReturnType<typeof countedDriver>['prepare']
      >; // The types of the module are wider.
      return {
        run: counted((...values) => statement.run(...values)),
        get: counted((...values) => statement.get(...values)),
        all: counted((...values) => statement.all(...values)),
        iterate: counted((...values) => statement.iterate(...values)),
      };
    },
    close: () => {
      database.close();
    },
  };
};

const isNamed = (request: unknown): boolean =>
  typeof request === 'object' &&
  request !== null &&
  Object.hasOwn(Reflect.get(request, 'headers') as object, 'idempotency-key');
// eslint-disable-next-line @typescript-eslint/unbound-method -- called on the server that emits
const { emit } = Server.prototype;
Server.prototype.emit = function (name: string | symbol, ...given: unknown[]): boolean {
  if (name === 'request' && isNamed(given[0])) isCounting = true;
  return Reflect.apply(emit, this, [name, ...given]) as boolean;
};

const backends = {
  sqlite: () => sqliteBackend({ path, driver: countedDriver }),
  fs: () => fsBackend({ path, durability: 'process' }),
  postgres: () => postgresBackend({ url: path }),
};
const backend = backends[kind as keyof typeof backends](); // The test names one of them.
const server = await serve({ backend, access: 'none', port: 0 });
process.on('SIGTERM', () => {
  isCounting = false;
  console.log(`steps ${String(steps)}`);
  void server.stop();
});
console.log(server.url);
