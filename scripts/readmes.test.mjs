import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';
import { filesBelow, root } from './setup/workspace.mjs';

const runners = new Set(['npx', 'bunx', 'pnpx']);
const managers = new Set(['npm', 'pnpm', 'yarn', 'bun', 'deno']);
const fetches = new Set(['add', 'create', 'dlx', 'exec', 'i', 'install', 'x']);

/** Returns whether the words fetch one of our packages by its name. */
function fetchesOurs(words) {
  const start = words.findIndex((word, index) => {
    if (runners.has(word)) return true;
    return (
      managers.has(word) && words.slice(index + 1, index + 4).some((next) => fetches.has(next))
    );
  });
  return (
    start !== -1 &&
    words.some(
      (word, index) => index > start && word.startsWith('@ctx/') && words[index - 1] !== '--filter',
    )
  );
}

/**
 * Returns the lines that have a package manager fetch a package of ours from the registry. A quoted program is one of a configuration,
 * whose arguments may stand in the lines below it.
 */
function fetchingLines(text) {
  const lines = text.split('\n');
  return lines.filter((line, index) => {
    const isQuoted = /["'](?:npx|bunx|pnpx|npm|pnpm|yarn|bun|deno)["']/.test(line);
    const whole = isQuoted ? lines.slice(index, index + 6).join(' ') : line;
    return whole.split('`').some((part) => fetchesOurs(part.split(/[\s"',[\](){}]+/)));
  });
}

function isShippedText(name) {
  return (
    /\.(md|json|jsonc|toml|ya?ml|sh|html|[cm]?[jt]sx?)$/.test(name) && !name.includes('.test.')
  );
}

describe('the scope @ctx, which is not ours on npm', () => {
  for (const text of [
    'npm install @ctx/core',
    'npm i -D @ctx/core',
    'pnpm add --save @ctx/core',
    'Run `npx -y @ctx/cli mcp`.',
    '{ "command": "npx", "args": ["@ctx/cli", "mcp"] }',
    '"command": "npx",\n"args": [\n"-y",\n"@ctx/cli@latest"\n]',
  ]) {
    it(`is seen in ${JSON.stringify(text)}`, () => assert.equal(fetchingLines(text).length, 1));
  }

  for (const text of [
    'npm install /tmp/ctx/*.tgz',
    'npx turbo run test --filter=@ctx/core',
    '`npx changeset`. All `@ctx/*` packages share one version.',
  ]) {
    it(`is not meant by ${text}`, () => assert.deepEqual(fetchingLines(text), []));
  }

  it('is fetched by no line of a README, a page, an example or a help text', () => {
    // The recording of the demo shows what its agent saw.
    const recording = path.join(root, 'apps/cli/demo/session.json');
    const files = [...filesBelow(root, isShippedText)].filter((file) => file !== recording);
    const found = files.flatMap((file) =>
      fetchingLines(readFileSync(file, 'utf8')).map(
        (line) => `${path.relative(root, file)}: ${line}`,
      ),
    );
    assert.ok(files.length > 1000);
    assert.deepEqual(found, []);
  });
});

describe("a package's README", () => {
  for (const name of readdirSync(path.join(root, 'packages'))) {
    const file = path.join(root, 'packages', name, 'README.md');
    const text = readFileSync(file, 'utf8');

    it(`shows an example of its package: ${name}`, () => {
      const examples = [...text.matchAll(/^```ts\n(.*?)^```/gms)].map(([, block]) => block);
      assert.ok(examples.some((block) => block.includes(`from '@ctx/${name}`)));
    });

    it(`fits on a page: ${name}`, () => assert.ok(text.split('\n').length <= 121));

    it(`says how to install it: ${name}`, () => {
      const [, page] = /\[install it from a checkout\]\(([^)]+)\)/.exec(text) ?? [];
      assert.ok(page !== undefined && existsSync(path.resolve(file, '..', page)));
    });
  }
});
