/**
 * The floors of the house: a package imports from lower floors only, never a neighbour on its own floor. What may use
 * what in tests (a store in the adapter's tests, say) is looser: tests are nobody's dependency.
 * scripts/floors.test.mjs plants a violation of each rule and sees it caught.
 */
// `testing/` of store is published; in the other packages it is help for their own tests.
const tests = '\\.test\\.tsx?$|/e2e/|/test-support/|^packages/(?!store/)[^/]+/src/testing/';
const floors = '^(packages|apps|examples|bench|contract-tests)/';

/** From these packages, only these others (`$1` is the package itself). */
const floor = (name, packages, below) => ({
  name,
  severity: 'error',
  from: { path: `^packages/(${packages.join('|')})/`, pathNot: tests },
  to: { path: floors, pathNot: `^packages/(${[...below, '$1'].join('|')})/` },
});

const ground = ['core'];
const first = ['tokens', 'relevance', 'redact'];
const second = ['store'];
const third = [
  'truncation',
  'compactor',
  'memory',
  'transcripts',
  'store-fs',
  'store-sqlite',
  'store-postgres',
];
const fourth = ['agent-adapter', 'claude-code', 'proxy', 'replay'];
/**
 * What the fourth floor may import: stores are chosen on the roof and handed down. Who says nothing gets the one that `ctx` shows, and
 * one file opens it.
 */
const notStores = third.filter((name) => !name.startsWith('store-'));
const below4 = [...ground, ...first, ...second, ...notStores];

module.exports = {
  forbidden: [
    { name: 'no-circular', severity: 'error', from: {}, to: { circular: true } },
    { name: 'every-import-resolves', severity: 'error', from: {}, to: { couldNotResolve: true } },
    floor('core-stands-alone', ground, []),
    floor('first-floor-imports-core', first, ground),
    floor('store-imports-lower-floors', second, [...ground, ...first]),
    floor('third-floor-imports-lower-floors', third, [...ground, ...first, ...second]),
    {
      ...floor('fourth-floor-imports-lower-floors', fourth, below4),
      from: {
        path: `^packages/(${fourth.join('|')})/`,
        pathNot: `${tests}|^packages/agent-adapter/src/default-store/open-default-store\\.ts$`,
      },
    },
    {
      name: 'an-app-is-no-library',
      severity: 'error',
      // The server is measured as it is embedded.
      from: {
        path: '^(packages|examples|bench)/',
        pathNot: [tests, '^bench/(measure-(servers?|citus)|server/ctx-server)\\.ts$'],
      },
      to: { path: '^apps/' },
    },
    {
      name: 'apps-are-strangers',
      comment:
        'Two apps that need the same thing need a package. The page uses the client of the server, the CLI its entries.',
      severity: 'error',
      from: { path: '^apps/([^/]+)/', pathNot: tests },
      to: {
        path: '^apps/',
        pathNot: '^apps/($1/|server/src/(client/|(index|records|schemas/index)\\.ts$))',
      },
    },
    {
      name: 'a-bench-runs-as-built',
      comment: 'It is transpiled alone: the source of a package is not beside what runs.',
      severity: 'error',
      from: { path: '^bench/' },
      to: { path: '^packages/', dependencyTypes: ['local'] },
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
      from: {
        path: '^packages/(core|relevance|redact|store)/src/',
        pathNot: [tests, '^packages/store/src/testing/'],
      },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'the-kit-needs-little-of-node',
      comment: 'Assertions, and a temporary folder for a store that keeps files.',
      severity: 'error',
      from: { path: '^packages/store/src/testing/', pathNot: tests },
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
          '^packages/store/src/testing/',
          '^apps/cli/src/commands/store/conform',
          '/testing/',
        ],
      },
      to: { path: '^packages/store/src/testing/' },
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
