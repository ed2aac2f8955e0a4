import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { CtxError, errorAdvice, isCtxError } from '@ctx/core';
import { describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));

/** A function that makes an error for those who call it: `function invalid(…) { return new CtxError('CODE', …) }`. */
const makers =
  /(export )?function (\w+)\([^{]*?\{(?:(?!\n\}).)*?return new CtxError\(\s*'(CTX_[A-Z_]+)'/gs;

function sources(): ReadonlyMap<string, string> {
  const pathspec = ['packages/*/src/**.ts', 'apps/*/src/**.ts', ':!*.test.ts', ':!**/testing/**'];
  const listed = execFileSync('git', ['ls-files', '--', ...pathspec], {
    cwd: root,
    encoding: 'utf8',
  });
  const files = listed
    .split('\n')
    .filter((name) => name !== '' && existsSync(path.join(root, name)));
  return new Map(files.map((file) => [file, readFileSync(path.join(root, file), 'utf8')]));
}

/** How often a function is called where it stands, and where files of its package import it. */
function callsOf(name: string, file: string, texts: ReadonlyMap<string, string>): number {
  const folder = file.split('/').slice(0, 2).join('/');
  const imports = new RegExp(`import[^;]*\\b${name}\\b[^;]*from '\\.`);
  const users = [...texts].filter(
    ([other, text]) => other === file || (other.startsWith(folder) && imports.test(text)),
  );
  const call = new RegExp(`(?<!function )\\b${name}\\(`, 'g');
  return users.reduce((sum, [, text]) => sum + [...text.matchAll(call)].length, 0);
}

/** The codes of all `new CtxError('CODE', …)` in what is published; one that a function makes counts once a call. */
function thrownCodes(): Map<string, number> {
  const texts = sources();
  const counts = new Map<string, number>();
  const count = (code: string, more: number): Map<string, number> =>
    counts.set(code, (counts.get(code) ?? 0) + more);
  for (const [file, text] of texts) {
    for (const [, code = ''] of text.matchAll(/new CtxError\(\s*'(CTX_[A-Z_]+)'/g)) count(code, 1);
    for (const [, , name = '', code = ''] of text.matchAll(makers)) {
      count(code, Math.max(0, callsOf(name, file, texts) - 1));
    }
  }
  return counts;
}

describe('error codes', () => {
  const counts = thrownCodes();

  it('are shared by at most a quarter of all throws', () => {
    const all = [...counts.values()].reduce((sum, count) => sum + count, 0);
    expect(all).toBeGreaterThan(300);
    const most = Math.max(...counts.values());
    expect(most / all).toBeLessThanOrEqual(0.25);
  });

  it('all have advice', () => {
    for (const code of counts.keys()) expect(Object.keys(errorAdvice)).toContain(code);
  });

  it.each([
    'CTX_AMBIGUOUS',
    'CTX_INVALID_ADDRESS',
    'CTX_INVALID_FILE',
    'CTX_INVALID_OPTION',
    'CTX_USAGE',
  ] as const)('that were split from CTX_INVALID_INPUT still match it: %s', (code) => {
    expect(isCtxError(new CtxError(code, 'x'), 'CTX_INVALID_INPUT')).toBe(true);
    expect(isCtxError(new CtxError('CTX_INVALID_INPUT', 'x'), code)).toBe(false);
    expect(isCtxError(new CtxError(code, 'x'), 'CTX_NOT_FOUND')).toBe(false);
  });
});
