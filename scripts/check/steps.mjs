import { readdirSync } from 'node:fs';
import path from 'node:path';
import { root, setupFolder } from '../setup/workspace.mjs';

const bin = (file) => path.join(root, 'node_modules', file);
const script = (name, ...args) => [path.join(root, 'scripts/check', name), ...args];
const vitest = (report, ...args) => [
  bin('vitest/vitest.mjs'),
  'run',
  '--reporter=default',
  '--reporter=json',
  `--outputFile.json=${report}`,
  ...args,
];
const testReport = path.join(setupFolder, 'reports/test.json');
const distReport = path.join(setupFolder, 'reports/test-dist.json');
const scriptTests = readdirSync(path.join(root, 'scripts'))
  .filter((name) => name.endsWith('.test.mjs'))
  .map((name) => path.join(root, 'scripts', name));

/**
 * What must hold before anything lands, in the order in which a mistake is cheapest to hear of.
 * `command` runs in this Node; `needs` are steps whose result it uses; `isAlone` wants both cores; `report` or `tap`
 * says where test counts come from; `fix` is what to run when the step is red.
 */
export const steps = [
  {
    name: 'format',
    command: [bin('@biomejs/biome/bin/biome'), 'format', '.'],
    fix: 'npm run format:write',
  },
  { name: 'lint', command: [bin('eslint/bin/eslint.js'), '.', '--max-warnings', '0'] },
  { name: 'types', command: script('types.mjs') },
  { name: 'floors', command: script('floors.mjs') },
  { name: 'build', command: script('build.mjs'), needs: ['types'] },
  { name: 'scripts', command: ['--test', '--test-reporter=tap', ...scriptTests], tap: true },
  {
    name: 'test',
    command: vitest(testReport),
    needs: ['build'],
    report: testReport,
    isAlone: true,
  },
  {
    name: 'test:dist',
    command: vitest(distReport, '--config', 'vitest.dist.config.ts'),
    needs: ['build'],
    report: distReport,
    isAlone: true,
  },
  { name: 'pack', command: script('pack.mjs'), needs: ['build'] },
  { name: 'publint', command: script('publint.mjs'), needs: ['pack'] },
  { name: 'attw', command: script('attw.mjs'), needs: ['pack'] },
  {
    name: 'api',
    command: script('api.mjs'),
    needs: ['build'],
    fix: 'npm run api:write, and read the diff',
  },
  { name: 'knip', command: [bin('knip/bin/knip.js'), '--no-progress'] },
  { name: 'sherif', command: script('sherif.mjs') },
  { name: 'size', command: script('size.mjs'), needs: ['build'] },
  { name: 'examples', command: script('examples.mjs'), needs: ['build'] },
  {
    name: 'soak',
    command: [path.join(root, 'bench/dist/measure-soak.js'), '--minutes', '0.34'],
    needs: ['build'],
    isAlone: true,
  },
  { name: 'packages', command: script('packages.mjs'), needs: ['pack'], isAlone: true },
];

/** The named steps and all they need, in the house order. */
export function withNeeds(names) {
  const wanted = new Set();
  const add = (name) => {
    wanted.add(name);
    for (const need of steps.find((step) => step.name === name).needs ?? []) add(need);
  };
  for (const name of names) add(name);
  return steps.filter((step) => wanted.has(step.name));
}
