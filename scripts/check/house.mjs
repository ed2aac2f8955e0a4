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
const listed = ['ls-files', '--cached', '--others', '--exclude-standard'];
const files = execFileSync('git', listed, { cwd: root, encoding: 'utf8' })
  .split('\n')
  .filter((file) => file !== '' && existsSync(path.join(root, file)));
const ofTests = /\.test(-d)?\.|\/(test-support|golden)\//;
const sources = files.filter((file) => /\.tsx?$/.test(file) && !ofTests.test(file));
const inFolder = (folder) => sources.filter((file) => file.startsWith(folder));
const read = (file) => readFileSync(path.join(root, file), 'utf8');
const words = (list) => list.map(read).join(' ').split(/\s+/).length;
const linesOf = (list) => list.reduce((sum, file) => sum + read(file).split('\n').length - 1, 0);
const page = /^(?!decisions|\.changeset|docs\/cli|bench\/notes|.*(\/etc\/|CHANGELOG)).*\.md$/;

const entries = publicEntries();
const core = entries.find(({ entry }) => entry === '@ctx/core');
const spi = 'packages/store/src/backend/store-backend.ts';
const scripts = files.filter((file) => /^scripts\/(?!.*test)/.test(file));

if (process.argv.includes('--write')) {
  const lines = entries.map(
    ({ entry, values, types }) => `  "${entry}": [${values.length}, ${types.length}]`,
  );
  writeFileSync(surfaceFile, `{\n${lines.join(',\n')}\n}\n`);
}
const counts = [
  ['core: lines', linesOf(inFolder('packages/core/src/')), 3_500],
  ['core: files', inFolder('packages/core/src/').length, 60],
  ['core: exported names', core.values.length + core.types.length, 60],
  ['core: exported values', core.values.length, 30],
  ['public names', entries.flatMap(({ values, types }) => [...values, ...types]).length, 480],
  ['public entries', entries.length, 34],
  ['scripts: lines', linesOf(scripts), 900],
  ['command: lines', linesOf(inFolder('apps/cli/src/')), 13_000],
  ['words of docs and READMEs', words(files.filter((file) => page.test(file))), 35_000],
  ['SPI: lines', linesOf([spi]), 200],
  ['SPI: `supports` flags', flagsOfSpi(), 4],
  ...folders().slice(0, 3),
  ...surfaceChanges(),
];
for (const [what, count, limit] of counts) {
  console.log(`${count > limit ? 'EXCEEDED' : 'ok      '}  ${what}: ${count} of ${limit}`);
  if (count > limit) process.exitCode = 1;
}

/** The folders with the most source files, the largest first; tests do not count. */
function folders() {
  const ofHouse = sources.filter((file) => /^(packages|apps)\//.test(file)).map(path.posix.dirname);
  return [...new Set(ofHouse)]
    .map((folder) => [`files in ${folder}`, ofHouse.filter((one) => one === folder).length, 16])
    .sort(([, one], [, other]) => other - one);
}

function flagsOfSpi() {
  const [declared] = /interface \w*Supports? \{[^}]*\}/.exec(read(spi)) ?? [''];
  return [...declared.matchAll(/^\s*readonly \w+\??:/gm)].length;
}

/** An entry that grew, or that the table does not know: whoever adds a name changes the table, so that a review sees it. */
function surfaceChanges() {
  const table = readJson(surfaceFile);
  const gone = Object.keys(table).filter((one) => !entries.some(({ entry }) => entry === one));
  const grown = entries.flatMap(({ entry, values, types }) => {
    const [mostValues, mostTypes] = table[entry] ?? [0, 0];
    return [
      [`values of ${entry}`, values.length, mostValues],
      [`types of ${entry}`, types.length, mostTypes],
    ];
  });
  return [
    ...gone.map((entry) => [`surface.json names ${entry}, which is gone`, 1, 0]),
    ...grown.filter(([, count, most]) => count > most),
  ];
}
