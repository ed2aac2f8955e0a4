import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { CtxError, errorAdvice, isCtxError } from '@ctx/core';
import { describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));

/** The codes of all `new CtxError('CODE', …)` in what is published. */
function thrownCodes(): Map<string, number> {
  const pathspec = ['packages/*/src/**.ts', 'apps/*/src/**.ts', ':!*.test.ts', ':!**/testing/**'];
  const listed = execFileSync('git', ['ls-files', '--', ...pathspec], {
    cwd: root,
    encoding: 'utf8',
  });
  const counts = new Map<string, number>();
  for (const file of listed.split('\n').filter((name) => name !== '')) {
    const text = readFileSync(path.join(root, file), 'utf8');
    for (const [, code = ''] of text.matchAll(/new CtxError\(\s*'(CTX_[A-Z_]+)'/g)) {
      counts.set(code, (counts.get(code) ?? 0) + 1);
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
