import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { CtxError } from '@ctx/core';
import { mendPhotostructure } from './photostructure-driver.ts';
import type { SqliteDatabase, SqliteDriver, SqliteDriverName } from './sqlite-driver.ts';

type DatabaseClass = new (
  path: string,
  options?: { readonly defensive: boolean },
) => SqliteDatabase;

/** What the three modules export: the class by its name, or as default where the module is CommonJS. */
interface SqliteModule {
  readonly DatabaseSync?: DatabaseClass;
  readonly default?: DatabaseClass;
}

/**
 * An address names a file that cannot be written, beside which `overlayWords` writes the inside of a full-text table in memory:
 * that is forbidden unless asked for.
 */
function driverOf(databaseClass: DatabaseClass | undefined, name: SqliteDriverName): SqliteDriver {
  if (databaseClass !== undefined) {
    return (path) => new databaseClass(path, { defensive: !path.startsWith('file:') });
  }
  throw new CtxError('CTX_STORE_UNSUPPORTED', `the SQLite driver ${name} has no database class`);
}

async function importModule(name: string, driver: SqliteDriverName): Promise<SqliteModule> {
  try {
    // The shape is that of the module's documentation; driverOf checks the one member that is used.
    return (await import(name)) as SqliteModule;
  } catch (cause) {
    const message = `the SQLite driver ${driver} cannot be loaded; install ${name}`;
    throw new CtxError('CTX_STORE_UNSUPPORTED', message, { cause });
  }
}

/** Loads node:sqlite without the warning of Node 22 and 23 that it is experimental: ctx was tested with it. Other warnings are shown. */
export function withoutSqliteWarning<T>(load: () => T): T {
  // eslint-disable-next-line @typescript-eslint/unbound-method -- put back as it was, and called on `process`
  const { emitWarning } = process;
  const isOurs = (warning: unknown, type: unknown): boolean =>
    type === 'ExperimentalWarning' && String(warning).startsWith('SQLite is ');
  const filtered: (...args: readonly unknown[]) => void = (...args) => {
    if (!isOurs(args[0], args[1])) Reflect.apply(emitWarning, process, args);
  };
  process.emitWarning = filtered;
  try {
    return load();
  } finally {
    process.emitWarning = emitWarning;
  }
}

/** node:sqlite; its `iterate` came with Node 22.13. Undefined where this Node has none. */
function builtinModule(): SqliteModule | undefined {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  if (major < 22 || (major === 22 && minor < 13)) return undefined;
  return withoutSqliteWarning(() => process.getBuiltinModule('node:sqlite'));
}

function builtinDriver(): SqliteDriver | undefined {
  const module = builtinModule();
  return module && driverOf(module.DatabaseSync, 'builtin');
}

/**
 * The driver as it is packed with this package. Undefined in a checkout, in a bundle that cannot find this package, and where none of its
 * binaries runs.
 */
function packedClass(): DatabaseClass | undefined {
  try {
    const entry = import.meta.resolve('@ctx/store-sqlite');
    const file = new URL('./photostructure/dist/index.cjs', entry);
    // A bundle in CommonJS would make a `require` of an `import`, and that takes no address.
    const module = createRequire(entry)(fileURLToPath(file)) as SqliteModule;
    return module.DatabaseSync;
  } catch {
    return undefined;
  }
}

async function photostructureDriver(): Promise<SqliteDriver> {
  const installed = async () => await importModule('@photostructure/sqlite', 'photostructure');
  const databaseClass = packedClass() ?? (await installed()).DatabaseSync;
  return mendPhotostructure(driverOf(databaseClass, 'photostructure'));
}

/**
 * Finds the driver: the function itself, else the one of that name, else node:sqlite, else @photostructure/sqlite.
 * @throws `CTX_STORE_UNSUPPORTED` where it is not installed here.
 */
export async function loadDriver(choice?: SqliteDriverName | SqliteDriver): Promise<SqliteDriver> {
  if (typeof choice === 'function') return choice;
  switch (choice) {
    case undefined:
      return builtinDriver() ?? (await photostructureDriver());
    case 'builtin': {
      const driver = builtinDriver();
      if (driver !== undefined) return driver;
      throw new CtxError('CTX_STORE_UNSUPPORTED', 'node:sqlite needs Node 22.13 or later');
    }
    case 'photostructure':
      return await photostructureDriver();
    case 'better-sqlite3':
      return driverOf((await importModule(choice, choice)).default, choice);
    default:
      throw new CtxError('CTX_INVALID_OPTION', 'driver must be a known name or a function');
  }
}
