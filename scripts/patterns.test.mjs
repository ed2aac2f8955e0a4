/* Every regular expression of what is shipped, looked at for slow inputs (SECURITY S14). */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';
import ts from 'typescript';
import { root } from './setup/workspace.mjs';

// Set before recheck is loaded: its other backends are programs of their own.
process.env.RECHECK_BACKEND = 'pure';
const { checkSync } = await import('recheck');

/** Files whose patterns meet nothing but what a test made. */
const isOfTests = (file) =>
  /\.test\.tsx?$|\.test-d\.ts$|\/(test-support|testing|golden)\//.test(file);

function sources() {
  const args = ['ls-files', '--cached', '--others', '--exclude-standard'];
  const folders = ['packages/*/src/*.ts', 'apps/*/src/*.ts', 'apps/*/src/*.tsx'];
  const listed = execFileSync('git', [...args, ...folders], { cwd: root, encoding: 'utf8' });
  return listed.split('\n').filter((file) => file !== '' && !isOfTests(file));
}

/** The patterns of a text, as they are written in it. */
function patternsIn(text, file) {
  const found = [];
  const visit = (node) => {
    if (node.kind === ts.SyntaxKind.RegularExpressionLiteral) found.push(node.text);
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(file, text, ts.ScriptTarget.Latest));
  return found;
}

/** Looked at by hand: recheck takes it for slow by trying, though each try ends at the next `<`. */
const reviewed = new Set([String.raw`/<([a-z][a-z0-9]*(?:[-_][a-z0-9]+)+)(?=[\s>])/gi`]);

/** Without bounds of repetitions, which take a checker long: what is fast without them is fast with them. */
function unbounded(source) {
  return source.replace(/\{(\d+)(?:,(\d*))?\}/g, (bounds, least, most = least) => {
    if (most !== '' && Number(most) <= 8) return bounds;
    return Number(least) === 0 ? '*' : '+';
  });
}

/** How often a pattern may be found slow by trying, which takes the time on a clock: a busy machine makes some look slow once. */
const tries = 3;

function isSafe(source, flags) {
  // Long enough for a busy machine: what has no answer counts as slow.
  const options = { timeout: 120_000 };
  for (let left = tries; left > 0; left -= 1) {
    const { status, checker } = checkSync(source, flags, options);
    if (status === 'safe') return true;
    if (status !== 'vulnerable' || checker !== 'fuzz') return false;
  }
  return false;
}

function isSlow(pattern) {
  const [, source, flags] = /^\/(.*)\/([a-z]*)$/s.exec(pattern);
  if (!/[*+{]/.test(source)) return false;
  return !isSafe(unbounded(source), flags) && !isSafe(source, flags);
}

describe('the check of patterns', () => {
  it('finds what is slow and lets through what is not', () => {
    for (const slow of ['/(a+)+$/', String.raw`/\s+$/`, '/a[^b]*ba[^b]*c/', '/(?:a|a)*$/']) {
      assert.ok(isSlow(slow), slow);
    }
    for (const fast of ['/^[a-z]{1,400}$/', '/a/', '/"[^"]*"/']) assert.ok(!isSlow(fast), fast);
  });

  it('sees every literal, not what looks like one', () => {
    const text = "const a = 1 / 2 / 3; const s = '/x+/'; const r = /y+/gu; f(/[/]z*/);";
    assert.deepEqual(patternsIn(text, 'a.ts'), ['/y+/gu', '/[/]z*/']);
  });
});

describe('no pattern of what is shipped', () => {
  it('takes more than linear time (S14)', () => {
    const places = new Map();
    for (const file of sources()) {
      const text = readFileSync(path.join(root, file), 'utf8');
      for (const pattern of patternsIn(text, file)) places.set(pattern, file);
    }
    assert.ok(places.size > 150, `only ${String(places.size)} patterns were found`);
    const slow = [...places].filter(([pattern]) => !reviewed.has(pattern) && isSlow(pattern));
    assert.deepEqual(slow, []);
  });
});
