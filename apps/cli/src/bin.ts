#!/usr/bin/env node
import { readFileSync } from 'node:fs';
import { loadProgram } from './load-program.ts';

const argv = process.argv.slice(2);
const [first, ...others] = argv;
const { version, node } = aboutPackage();
// Nothing else is loaded on this path: a version should not take longer than node itself.
if ((first === '--version' || first === '-V') && others.length === 0) {
  process.stdout.write(`${version}\n`);
} else if (isTooOld(process.versions.node, node) && first !== 'hook') {
  // A hook answers whatever happens, so that the agent goes on.
  const wanted = node.replace('>=', '');
  const have = `this is ${process.versions.node}`;
  process.stderr.write(
    `ctx needs Node.js ${wanted} or newer, ${have}: install a newer one (https://nodejs.org).\n`,
  );
  process.exitCode = 1;
} else {
  void loadProgram(argv)
    .then((run) => run(argv, version))
    .then((code) => process.exit(code));
}

/** What the manifest of the command says: which it is, and which Node it needs. */
function aboutPackage(): { readonly version: string; readonly node: string } {
  const path = new URL('../package.json', import.meta.url);
  const text = readFileSync(path, 'utf8');
  // Our own, which the package brings.
  const { version, engines } = JSON.parse(text) as { version: string; engines: { node: string } };
  return { version, node: engines.node };
}

/** Whether a version is below `>=major.minor`. */
function isTooOld(have: string, wanted: string): boolean {
  const [major = 0, minor = 0] = have.split('.').map(Number);
  const [leastMajor = 0, leastMinor = 0] = wanted.replace('>=', '').split('.').map(Number);
  return major < leastMajor || (major === leastMajor && minor < leastMinor);
}
