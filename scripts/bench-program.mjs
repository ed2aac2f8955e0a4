import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { root } from './setup/workspace.mjs';

/**
 * The program of the measurement `name`, below the root: `bench/measure-<name>.ts`, as it is built.
 * Throws: a plain Error with `exitCode` 2 that lists the names, where none or an unknown one is given.
 */
export function benchProgram(name) {
  const names = benchNames();
  if (names.includes(name)) return `bench/dist/measure-${name}.js`;
  const complaint = name === undefined ? 'name a measurement' : `no measurement ${name}`;
  throw Object.assign(new Error(`${complaint}; there are ${names.join(', ')}`), { exitCode: 2 });
}

function benchNames() {
  const folder = path.join(root, 'bench');
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .map((file) => /^measure-([a-z-]+)\.ts$/.exec(file)?.[1])
    .filter((name) => name !== undefined)
    .sort();
}
