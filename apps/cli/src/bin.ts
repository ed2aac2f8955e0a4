#!/usr/bin/env node
import { readFileSync } from 'node:fs';
import { loadProgram } from './load-program.ts';

const argv = process.argv.slice(2);
const [first, ...others] = argv;
// Nothing else is loaded on this path: a version should not take longer than node itself.
if ((first === '--version' || first === '-V') && others.length === 0) {
  process.stdout.write(`${versionOfPackage()}\n`);
} else {
  const run = await loadProgram(argv);
  process.exit(await run(argv, versionOfPackage()));
}

function versionOfPackage(): string {
  const manifest: unknown = JSON.parse(
    readFileSync(new URL('../package.json', import.meta.url), 'utf8'),
  );
  const hasVersion = typeof manifest === 'object' && manifest !== null && 'version' in manifest;
  return hasVersion ? String(manifest.version) : 'unknown';
}
