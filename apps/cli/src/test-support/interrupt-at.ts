import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** A module that sends this process the signal of Ctrl-C as it opens the n-th file whose path holds `sign`. */
export function interruptAt(folder: string, { sign, nth }: { sign: string; nth: number }): string {
  const path = join(folder, 'interrupt.mjs');
  const text = `import promises from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
const { open } = promises;
let opened = 0;
promises.open = (...args) => {
  opened += String(args[0]).includes(${JSON.stringify(sign)}) ? 1 : 0;
  if (opened === ${String(nth)}) process.kill(process.pid, 'SIGINT');
  return open(...args);
};
syncBuiltinESMExports();
`;
  writeFileSync(path, text);
  return path;
}
