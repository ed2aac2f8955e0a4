/**
 * The floors of the house: a package imports from lower floors only, never a neighbour on its own floor. What may use
 * what in tests (a store in the adapter's tests, say) is looser: tests are nobody's dependency.
 * scripts/floors.test.mjs plants a violation of each rule and sees it caught.
 */
// `testing/` of core is published; in the other packages it is help for their own tests.
const tests = '\\.test\\.tsx?$|/e2e/|/test-support/|^packages/(?!core/)[^/]+/src/testing/';
const floors = '^(packages|apps|examples|bench|contract-tests)/';

/** From these packages, only these others (`$1` is the package itself). */
const floor = (name, packages, below) => ({
  name,
  severity: 'error',
  from: { path: `^packages/(${packages.join('|')})/`, pathNot: tests },
  to: { path: floors, pathNot: `^packages/(${[...below, '$1'].join('|')})/` },
});

const ground = ['core', 'tokens'];
const first = [
  'truncation',
  'compactor',
  'transcripts',
  'store-fs',
  'store-sqlite',
  'store-postgres',
];
const aboveStores = ['truncation', 'compactor', 'transcripts'];

module.exports = {
  forbidden: [
    { name: 'no-circular', severity: 'error', from: {}, to: { circular: true } },
    { name: 'every-import-resolves', severity: 'error', from: {}, to: { couldNotResolve: true } },
    floor('ground-floor-stands-alone', ground, []),
    floor('first-floor-uses-the-ground', first, ground),
    floor('second-floor-takes-a-store-from-above', ['agent-adapter'], [...ground, ...aboveStores]),
    {
      name: 'an-app-is-no-library',
      severity: 'error',
      // The server is measured as it is embedded.
      from: {
        path: '^(packages|examples|bench)/',
        pathNot: [tests, '^bench/(measure-server|server/ctx-server)\\.ts$'],
      },
      to: { path: '^apps/' },
    },
    {
      name: 'apps-are-strangers',
      comment:
        'Two apps that need the same thing need a package, or two copies. `ctx up` starts the server; the page uses its client.',
      severity: 'error',
      from: {
        path: '^apps/([^/]+)/',
        pathNot: [tests, '^apps/cli/src/commands/up\\.ts$'],
      },
      to: { path: '^apps/', pathNot: '^apps/($1|server/src/client)/' },
    },
    {
      name: 'packages-know-no-examples',
      severity: 'error',
      from: { path: '^(packages|apps)/' },
      to: { path: '^(examples|bench)/' },
    },
    {
      name: 'core-runs-anywhere',
      comment: 'A browser has no node: modules.',
      severity: 'error',
      from: { path: '^packages/core/src/', pathNot: [tests, '^packages/core/src/testing/'] },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'the-kit-needs-little-of-node',
      comment: 'Assertions, and a temporary folder for a store that keeps files.',
      severity: 'error',
      from: { path: '^packages/core/src/testing/', pathNot: tests },
      to: {
        dependencyTypes: ['core'],
        pathNot: '^(node:)?(assert(/strict)?|fs/promises|os|path)$',
      },
    },
    {
      name: 'testing-is-for-tests',
      comment: 'The kit weighs; only tests, the kit itself and the conform command load it.',
      severity: 'error',
      from: {
        path: '^(packages|apps)/',
        pathNot: [
          tests,
          '^packages/core/src/testing/',
          '^apps/cli/src/commands/conform',
          '/testing/',
        ],
      },
      to: { path: '^packages/core/src/testing/' },
    },
    {
      name: 'source-imports-no-tests',
      severity: 'error',
      from: { path: '^(packages|apps)/', pathNot: [tests, '/testing/'] },
      to: { path: tests },
    },
    {
      name: 'no-development-dependencies',
      comment: 'What is published may import only what its package.json installs.',
      severity: 'error',
      from: { path: '^(packages|apps)/[^/]+/src/', pathNot: tests },
      to: {
        dependencyTypes: ['npm-dev', 'npm-no-pkg', 'npm-unknown'],
        dependencyTypesNot: ['type-only'],
      },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '(^|/)(dist|coverage)/|^apps/server/page/' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.base.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['@ctx/source', 'types', 'import', 'node', 'default'],
    },
  },
};
