import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { readJson, root } from '../setup/workspace.mjs';
import { publicEntries } from './entries.mjs';

/**
 * The counts that keep the house small, each with what was agreed; exits 1 if one is exceeded. The names of each entry are compared with
 * the table in surface.json: `--write` writes the table as it is now.
 */
const surfaceFile = path.join(root, 'scripts/check/surface.json');
const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
  cwd: root,
  encoding: 'utf8',
})
  .split('\n')
  .filter((file) => file !== '' && existsSync(path.join(root, file)));
const ofTests = /\.test(-d)?\.|\/(test-support|golden)\//;
const sources = files.filter((file) => /\.tsx?$/.test(file) && !ofTests.test(file));
const inFolder = (folder) => sources.filter((file) => file.startsWith(folder));
const linesOf = (list) => list.reduce((sum, file) => sum + read(file).split('\n').length - 1, 0);

const entries = publicEntries();
const core = entries.find(({ entry }) => entry === '@ctx/core');
const names = entries.reduce((sum, { values, types }) => sum + values.length + types.length, 0);
const spi = 'packages/store/src/backend/store-backend.ts';
const scripts = files.filter((file) => file.startsWith('scripts/') && !file.includes('test'));
const folders = groupByFolder();

if (process.argv.includes('--write')) writeTable();
const counts = [
  ['core: lines', linesOf(inFolder('packages/core/src/')), 3_500],
  ['core: files', inFolder('packages/core/src/').length, 60],
  ['core: exported names', core.values.length + core.types.length, 60],
  ['core: exported values', core.values.length, 30],
  ['public names', names, 480],
  ['public entries', entries.length, 34],
  ['scripts: lines', linesOf(scripts), 900],
  ['command: lines', linesOf(inFolder('apps/cli/src/')), 13_000],
  ['SPI: lines', linesOf([spi]), 200],
  ['SPI: `supports` flags', flagsOfSpi(), 4],
  ...largestFolders(),
];
for (const [what, count, limit] of counts) tell(count <= limit, `${what}: ${count} of ${limit}`);
for (const line of surfaceChanges()) tell(false, line);

function tell(isKept, line) {
  console.log(`${isKept ? 'ok      ' : 'EXCEEDED'}  ${line}`);
  if (!isKept) process.exitCode = 1;
}

function read(file) {
  return readFileSync(path.join(root, file), 'utf8');
}

function groupByFolder() {
  const groups = new Map();
  for (const file of sources.filter((one) => /^(packages|apps)\//.test(one))) {
    const folder = path.posix.dirname(file);
    groups.set(folder, (groups.get(folder) ?? 0) + 1);
  }
  return groups;
}

/** Folders with more files than one takes in; tests do not count. */
function largestFolders() {
  const limit = 16;
  const large = [...folders].filter(([, count]) => count > limit).sort(([, a], [, b]) => b - a);
  if (large.length === 0) return [['largest folder', Math.max(...folders.values()), limit]];
  return large.map(([folder, count]) => [`files in ${folder}`, count, limit]);
}

function flagsOfSpi() {
  const [, body = ''] = /supports: \{([^}]*)\}/.exec(read(spi)) ?? [];
  const [, declared = ''] = /interface \w*Supports? \{([^}]*)\}/.exec(read(spi)) ?? [];
  return [...`${body}${declared}`.matchAll(/^\s*readonly \w+\??:/gm)].length;
}

function writeTable() {
  const lines = entries.map(
    ({ entry, values, types }) => `  "${entry}": [${values.length}, ${types.length}]`,
  );
  writeFileSync(surfaceFile, `{\n${lines.join(',\n')}\n}\n`);
}

/** An entry that grew, or that the table does not know: whoever adds a name changes the table, so that a review sees it. */
function surfaceChanges() {
  const table = readJson(surfaceFile);
  const known = new Set(entries.map(({ entry }) => entry));
  const gone = Object.keys(table).filter((entry) => !known.has(entry));
  const grown = entries.flatMap(({ entry, values, types }) => {
    const [mostValues, mostTypes] = table[entry] ?? [0, 0];
    return [
      [`values of ${entry}`, values.length, mostValues],
      [`types of ${entry}`, types.length, mostTypes],
    ].filter(([, count, most]) => count > most);
  });
  return [
    ...gone.map((entry) => `surface.json names ${entry}, which is gone`),
    ...grown.map(([what, count, most]) => `${what}: ${count}, surface.json says ${most}`),
  ];
}
