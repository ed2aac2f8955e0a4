import { readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, join } from 'node:path';
import { cachedDataVersionTag } from 'node:v8';
import { Script } from 'node:vm';

/** A bundle in the older form of modules, loaded with the code that V8 kept of it. */
export interface KeptBundle {
  readonly exports: unknown;
  /** Keeps what V8 has compiled of it by now, where nothing was kept before. Never throws. */
  readonly keep: () => void;
}

type Wrapper = (require: NodeJS.Require, module: { exports: unknown }, filename: string) => void;

function readIfThere(path: string): Buffer | undefined {
  try {
    return readFileSync(path);
  } catch {
    return undefined;
  }
}

/** Writes the file whole or not at all, and removes what was kept of other versions of the bundle. */
function write(folder: string, name: string, code: Buffer): void {
  const draft = join(folder, `${name}.${String(process.pid)}`);
  writeFileSync(draft, code, { flag: 'wx', mode: 0o600, flush: true });
  renameSync(draft, join(folder, name));
  const [bundle = name] = name.split('.');
  const [program = bundle] = bundle.split('-');
  for (const other of readdirSync(folder)) {
    const isOther = other.startsWith(`${program}-`) && !other.startsWith(`${bundle}.`);
    if (isOther) rmSync(join(folder, other), { force: true });
  }
}

/**
 * Loads a bundle whose name holds the hash of its text. Node 20 cannot keep what it compiles of modules, and what it compiles of a script
 * only where the program does so itself.
 * @param folder Where the code is kept, private to the user, since it is run; nothing is kept without one.
 */
export function loadKept(path: string, folder: string | undefined): KeptBundle {
  // V8 takes no code of another version, machine or set of flags.
  const name = `${basename(path, '.cjs')}.${cachedDataVersionTag().toString(16)}`;
  // The bundle is ASCII, which is read twice as fast so, and a function of these three: no copy is made to put it into one.
  const text = readFileSync(path, 'latin1');
  const cachedData = folder === undefined ? undefined : readIfThere(join(folder, name));
  const script = new Script(text, {
    filename: path,
    ...(cachedData === undefined ? {} : { cachedData }),
  });
  const module = { exports: {} };
  // The build makes it so.
  const wrapper = script.runInThisContext() as Wrapper;
  wrapper(createRequire(path), module, path);
  const isKept = cachedData !== undefined && script.cachedDataRejected !== true;
  return {
    exports: module.exports,
    keep: () => {
      if (isKept || folder === undefined) return;
      try {
        write(folder, name, script.createCachedData());
      } catch {
        // It only saves time.
      }
    },
  };
}
