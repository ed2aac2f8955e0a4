import { addAround, addEnds, addLines, chooseLines, counted } from './choose-lines.ts';
import { type CompressDraft, type CompressInput, type Compressor, startOf } from './compressor.ts';
import { isFrame, speaksOfTrouble } from './trouble.ts';

/** One pattern for many: a line is looked at once, and a process that looks at one text makes one. None of them has flags. */
function oneOf(patterns: readonly RegExp[]): RegExp {
  return new RegExp(patterns.map(({ source }) => source).join('|'));
}

/** Lines that say of one test or one file of tests that it passed, in the forms of the usual runners. */
const passed: RegExp = oneOf([
  /^\s*[Oo][Kk] \d+\b(?!.*# ?(?:[Tt][Oo][Dd][Oo]|[Ss][Kk][Ii][Pp]))/, // TAP
  /^\s*# Subtest: /, // TAP: the line of the test itself follows
  /^\s*[✓✔√] /, // jest, vitest, mocha
  /^\s*PASS(?:ED)? +\S/, // jest, ctest
  /^\S+\.py [.s]+ *(?:\[ *\d+%\])?$/, // pytest
  /^[.s]+ *\[ *\d+%\]$/, // pytest, lines that go on
  /^\s*=== (?:RUN|PAUSE|CONT|NAME) /, // go test -v
  /^\s*--- PASS: /,
  /^ok {2}\t\S+/, // go test
  /^\?\s+\S+\s+\[no test files\]$/,
  /^test \S.* \.\.\. ok$/, // cargo
  /^\s*<testcase\b[^>]*\/>$/, // JUnit's XML
  /^\s*<testcase\b[^>]*><\/testcase>$/,
]);

/** Lines that say of one test that it failed. */
const failed: RegExp = oneOf([
  /^\s*(?:not ok \d|[✗✕×✖] |FAIL(?:ED)?\b|--- FAIL: )/,
  /^test \S.* \.\.\. FAILED$/, // cargo
  /^\s*\d+\) \S/, // mocha
  /^E {3}/, // pytest: the error itself
  /^\S+\.py [.sx]*[FE]/,
  /^\s*(?:<testcase\b[^>]*>)?<(?:failure|error)\b/, // JUnit's XML
]);

/** Lines that sum a run up. */
const summaries: RegExp = oneOf([
  /^\s*(?:Tests?|Test Files|Test Suites|Suites|Snapshots):? +\d/,
  /^\s*\d+ (?:passing|failing|pending)\b/,
  /^(?:test result: |# (?:tests|pass|fail|suites) \d|1\.\.\d|TAP version)/,
  /^(?:FAIL|PASS|ok)$/,
]);

/** How lines begin that one of these patterns may match. */
const beginnings =
  /^(?:\s*(?:\d|[#=<✓✔√✗✕×✖]|--- |ok|not ok|pass|fail|tests?|snapshots|suites)|[.s?E]|test |TAP )/iu;

/** What pytest says of one test: `tests/test_a.py::test_b PASSED`. */
function saysOfTest(line: string, words: RegExp): boolean {
  const colons = line.indexOf('::');
  if (colons < 0) return false;
  const blank = line.indexOf(' ');
  return (blank < 0 || colons < blank - 1) && words.test(line);
}

/** Tells most lines of other texts apart at one look. */
function maySpeakOfTests(line: string): boolean {
  return beginnings.test(line) || line.includes('.py ') || line.includes('::');
}

function isPassed(line: string): boolean {
  return passed.test(line) || saysOfTest(line, / PASSED\b/);
}

function isFailed(line: string): boolean {
  return failed.test(line) || saysOfTest(line, / (?:FAILED|ERROR)\b/);
}

function isSummary(line: string): boolean {
  const isRuled = line.startsWith('=') && line.endsWith('=');
  return summaries.test(line) || (isRuled && /passed|failed|error/.test(line));
}

/** A place in a file: what a failure has to keep. */
const place = /[\w./\\-]\.\w{1,5}[:(]\d/;

function looksLikeTests({ lines }: CompressInput): boolean {
  let passes = 0;
  let others = 0;
  for (const line of lines) {
    const start = startOf(line);
    if (!maySpeakOfTests(start)) continue;
    if (isPassed(start)) passes += 1;
    else if (isFailed(start) || isSummary(start)) others += 1;
  }
  return passes + others >= 5 && others >= 1 && (passes + others) * 20 >= lines.length;
}

/** The lines of details that TAP puts below a test: from `---` to `...`, deeper than the test. */
function detailsEnd(lines: readonly string[], from: number): number {
  if (!/^\s+---$/.test(lines[from] ?? '')) return from;
  for (let at = from + 1; at < Math.min(lines.length, from + 200); at += 1) {
    if (/^\s+\.\.\.$/.test(lines[at] ?? '')) return at + 1;
  }
  return from;
}

/** The lines that say only that a test passed. */
function passingLines(lines: readonly string[]): Set<number> {
  const found = new Set<number>();
  for (let at = 0; at < lines.length; at += 1) {
    if (found.has(at) || !isPassed(startOf(lines[at] ?? ''))) continue;
    found.add(at);
    const end = detailsEnd(lines, at + 1);
    for (let detail = at + 1; detail < end; detail += 1) found.add(detail);
  }
  return found;
}

/** A line that jest, vitest and pytest print of a difference between what was expected and what came. */
const isDifference = /^(?:E)?\s{2,}[-+?] /;

function isKey(line: string): boolean {
  const start = startOf(line);
  return (
    isFailed(start) ||
    isSummary(start) ||
    isFrame(start) ||
    isDifference.test(start) ||
    place.test(start) ||
    speaksOfTrouble(start)
  );
}

function compressTests(input: CompressInput): CompressDraft {
  const { lines, limits } = input;
  const passing = passingLines(lines);
  const rest = lines.flatMap((_line, index) => (passing.has(index) ? [] : [index]));
  const key = rest.filter((index) => isKey(lines[index] ?? ''));
  const choice = chooseLines(lines);
  const lost = addLines(choice, key, limits.most);
  addAround(choice, key, { lines: 6, limit: limits.most });
  addEnds(choice, lines.length, { first: 2, last: 6, limit: limits.most });
  addLines(choice, rest, Math.max(limits.wanted, Math.min(limits.most / 2, input.text.length / 2)));
  const hiddenPassing = [...passing].filter((index) => !choice.has(index)).length;
  const others = lines.length - choice.count() - hiddenPassing - lost;
  const left = [`${counted(hiddenPassing, 'line')} of tests that passed`];
  if (others > 0) left.push(counted(others, 'other line'));
  if (lost > 0) left.push(`${counted(lost, 'line')} of failures, for which there is no room`);
  return { body: choice.show(), left };
}

/** Reports of TAP, jest, vitest, mocha, pytest, go test and cargo test: everything but the lines of tests that passed. */
export const testReport: Compressor = {
  kind: 'test report',
  matches: looksLikeTests,
  compress: compressTests,
};
