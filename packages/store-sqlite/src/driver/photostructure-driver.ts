import type {
  SqliteDatabase,
  SqliteDriver,
  SqliteStatement,
  SqliteValue,
} from './sqlite-driver.ts';

/**
 * A number over 0 that @photostructure/sqlite 1.2.1 binds as 0: it takes what lies within an epsilon above an integer for
 * that integer. As text it arrives whole, since SQLite reads text beside a REAL column as a number.
 */
function isLost(value: SqliteValue): boolean {
  return typeof value === 'number' && value > 0 && value < Number.EPSILON;
}

/** The same list where none is lost, as nearly always. */
function bindable(values: readonly SqliteValue[]): readonly SqliteValue[] {
  return values.some(isLost)
    ? values.map((value) => (isLost(value) ? String(value) : value))
    : values;
}

function wrapStatement(statement: SqliteStatement): SqliteStatement {
  return {
    run: (...values) => statement.run(...bindable(values)),
    get: (...values) => statement.get(...bindable(values)),
    all: (...values) => statement.all(...bindable(values)),
    iterate: (...values) => statement.iterate(...bindable(values)),
    setReturnArrays: (isOn) => {
      statement.setReturnArrays?.(isOn);
    },
  };
}

/**
 * Closes as SQLite does when the last statement is gone, log included. The driver cannot give statements back before
 * they are collected as garbage; leaving the log's mode does it, unless another process has the file open.
 */
function closeWithLog(database: SqliteDatabase): void {
  try {
    database.exec('PRAGMA journal_mode = DELETE');
  } catch {
    // Somebody else uses the log and will close it.
  }
  database.close();
}

/** Mends what @photostructure/sqlite 1.2.1 does otherwise than node:sqlite. */
export function mendPhotostructure(driver: SqliteDriver): SqliteDriver {
  return (path) => {
    const database: SqliteDatabase = driver(path);
    return {
      exec: (sql) => database.exec(sql),
      prepare: (sql) => wrapStatement(database.prepare(sql)),
      close: () => {
        closeWithLog(database);
      },
    };
  };
}
