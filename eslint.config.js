import js from '@eslint/js';
import { defineConfig, globalIgnores } from 'eslint/config';
import tseslint from 'typescript-eslint';

/** Every workspace file with types. Root configs and scripts are plain JavaScript, checked without types. */
const typed = [
  'packages/**/*.ts',
  'apps/**/*.{ts,tsx}',
  'examples/**/*.ts',
  'bench/**/*.ts',
  'contract-tests/**/*.ts',
];

/** Tests, the conformance cases and the proof backends are long lists on purpose. */
const tests = [
  '**/*.test.ts',
  '**/*.test.tsx',
  '**/testing/**/*.ts',
  '**/test-support/**/*.ts',
  '**/*.test.mjs',
];

/** House sizes. Blank lines and comments do not count. */
const sizes = {
  complexity: ['error', 10],
  'max-depth': ['error', 3],
  'max-params': ['error', 3],
  'max-lines': ['error', { max: 250, skipBlankLines: true, skipComments: true }],
  'max-lines-per-function': ['error', { max: 50, skipBlankLines: true, skipComments: true }],
};

/** An entry lists what it promises; a union of literals needs no run time. */
const plainShapes = [
  { selector: 'ExportAllDeclaration', message: 'List the names: no `export *`.' },
  { selector: 'TSEnumDeclaration', message: 'Use a union of literals: no enum.' },
];

/** One torn file is one too many: store-fs writes through its own atomic write only. */
const tearing = 'A plain write can tear. Use write-atomically.ts.';
const noPlainWrites = {
  'no-restricted-imports': [
    'error',
    {
      paths: ['fs', 'fs/promises', 'node:fs', 'node:fs/promises'].map((name) => ({
        name,
        importNames: ['writeFile', 'writeFileSync', 'appendFile', 'appendFileSync'],
        message: tearing,
      })),
    },
  ],
  'no-restricted-syntax': [
    'error',
    ...plainShapes,
    // A FileHandle's writeFile is something else: it loops until every byte is out.
    ...['[object.name=/^(fs|fsp|fsPromises|promises)$/]', "[object.property.name='promises']"].map(
      (object) => ({
        selector: `MemberExpression${object}[property.name=/^(writeFile|appendFile)(Sync)?$/]`,
        message: tearing,
      }),
    ),
  ],
};

export default defineConfig(
  globalIgnores(['**/dist', 'apps/server/page', '**/coverage', '**/node_modules', '**/.turbo']),
  { linterOptions: { reportUnusedDisableDirectives: 'error' } },
  {
    files: ['**/*.{js,mjs,cjs}'],
    extends: [js.configs.recommended],
    languageOptions: {
      globals: Object.fromEntries(
        ['console', 'process', 'URL', 'Buffer', 'setTimeout', 'clearTimeout', 'setInterval']
          .concat([
            'clearInterval',
            'performance',
            'structuredClone',
            'AbortController',
            'AbortSignal',
          ])
          .map((name) => [name, 'readonly']),
      ),
    },
  },
  {
    files: ['**/*.cjs'],
    languageOptions: {
      sourceType: 'commonjs',
      globals: { require: 'readonly', module: 'writable', __dirname: 'readonly' },
    },
  },
  {
    files: typed,
    extends: [js.configs.recommended, tseslint.configs.strictTypeChecked],
    languageOptions: {
      parserOptions: {
        // One program for all: a program per package holds the whole tree each time, and runs out of memory.
        project: './tsconfig.lint.json',
        tsconfigRootDir: import.meta.dirname,
      },
    },
    rules: {
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      '@typescript-eslint/no-unused-vars': [
        'error',
        { argsIgnorePattern: '^_', varsIgnorePattern: '^_', ignoreRestSiblings: true },
      ],
      // A backend that has nothing to wait for still rejects and never throws: `async` is the promise.
      '@typescript-eslint/require-await': 'off',
      '@typescript-eslint/consistent-type-imports': 'error',
      'no-restricted-exports': ['error', { restrictDefaultExports: { direct: true } }],
      eqeqeq: 'error',
    },
  },
  { files: [...typed, 'scripts/**/*.mjs'], ignores: tests, rules: sizes },
  // An entry is a list of names: as long as what it promises.
  { files: ['packages/*/src/index.ts'], rules: { 'max-lines': 'off' } },
  { files: tests, rules: { 'max-params': ['error', 4] } },
  {
    files: ['**/*.test.ts', '**/testing/**/*.ts'],
    rules: {
      '@typescript-eslint/no-non-null-assertion': 'off',
    },
  },
  { files: ['**/*.config.ts'], rules: { 'no-restricted-exports': 'off' } },
  {
    files: ['packages/*/src/**/*.ts'],
    rules: { 'no-restricted-syntax': ['error', ...plainShapes] },
  },
  { files: ['packages/store-fs/src/**/*.ts'], ignores: tests, rules: noPlainWrites },
);
