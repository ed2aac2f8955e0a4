import assert from 'node:assert/strict';
import path from 'node:path';
import { describe, it } from 'node:test';
import { ESLint } from 'eslint';
import { root } from './setup/workspace.mjs';

// In a CI the parser takes it that each file is read once, as it is on disk, and would not see the planted text.
const parserOptions = { disallowAutomaticSingleRunInference: true };
const eslint = new ESLint({ cwd: root, overrideConfig: { languageOptions: { parserOptions } } });

/** The rules that `text` breaks when it stands in `file` (a file that exists, so that its types are known). */
async function brokenRules(text, file) {
  const [result] = await eslint.lintText(text, { filePath: path.join(root, file) });
  return [...new Set(result.messages.map((message) => message.ruleId))];
}

const store = 'packages/store-fs/src/index.ts';
const core = 'packages/core/src/index.ts';
const long = (lines) =>
  Array.from({ length: lines }, (_, index) => `  console.log(${index});`).join('\n');

describe('the linter forbids', () => {
  const planted = {
    'a plain write in store-fs, imported by name': [
      "import { writeFile } from 'node:fs/promises';\nawait writeFile('a', 'b');\n",
      store,
      'no-restricted-imports',
    ],
    'a plain write in store-fs, through the namespace': [
      "import * as fs from 'node:fs/promises';\nawait fs.writeFile('a', 'b');\n",
      store,
      'no-restricted-syntax',
    ],
    'a plain write in store-fs, through promises': [
      "import * as fs from 'node:fs';\nawait fs.promises.writeFile('a', 'b');\n",
      store,
      'no-restricted-syntax',
    ],
    'export *': ["export * from './errors.ts';\n", core, 'no-restricted-syntax'],
    'an enum': ['export enum Tier {\n  Hot,\n}\n', core, 'no-restricted-syntax'],
    'a default export': ['export default 1;\n', core, 'no-restricted-exports'],
    any: ['export const value: any = 1;\n', core, '@typescript-eslint/no-explicit-any'],
    'a promise nobody waits for': [
      'export function f(): void {\n  Promise.resolve(1);\n}\n',
      core,
      '@typescript-eslint/no-floating-promises',
    ],
    'a function of 51 lines': [
      `export function f(): void {\n${long(50)}\n}\n`,
      core,
      'max-lines-per-function',
    ],
    'a file of 251 lines': [`${long(251)}\n`, 'packages/core/src/errors.ts', 'max-lines'],
    'four parameters': [
      'export const f = (a: number, b: number, c: number, d: number): number => a + b + c + d;\n',
      core,
      'max-params',
    ],
  };
  for (const [what, [text, file, rule]] of Object.entries(planted)) {
    it(what, async () => {
      const rules = await brokenRules(text, file);
      assert.ok(rules.includes(rule), `${rule} is not among ${rules.join(', ')}`);
    });
  }
});

describe('the linter allows', () => {
  it("a FileHandle's own write in store-fs, which loops until all is out", async () => {
    const text = `import { open } from 'node:fs/promises';
const handle = await open('a', 'wx', 0o600);
await handle.writeFile('b');
await handle.close();
`;
    assert.deepEqual(await brokenRules(text, store), []);
  });

  it('a function of 50 lines', async () => {
    assert.deepEqual(await brokenRules(`export function f(): void {\n${long(48)}\n}\n`, core), []);
  });
});
