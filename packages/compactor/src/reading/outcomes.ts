import type { HistoryCall } from './history.ts';

/** How a command ended, as far as its output shows it. */
export type Outcome = 'ok' | 'failed' | 'unknown';

/** How a line of a program's output begins or looks if it failed, and if it succeeded. Lines are tested without the blanks around them. */
interface Signs {
  /** The words of a command line that run the program. */
  readonly programs: RegExp;
  readonly failed?: RegExp;
  readonly ok?: RegExp;
}

/** Programs that run others: their output may match any of the patterns below. */
const runners =
  /^(?:npm|npx|pnpm|pnpx|yarn|bun|bunx|make|gmake|just|task|turbo|nx|gradle|gradlew|mvn|bazel|tox|nox|poetry|uv|mise|docker|sh|bash|zsh|env|time|timeout|xargs|ssh)$/;

/** Programs that print what they read: a word of failure in it says nothing of them. */
const readers =
  /^(?:cat|head|tail|sed|awk|nl|less|more|bat|grep|rg|ag|ack|find|ls|tree|wc|jq|yq|echo|printf|diff|strings|xxd|od|sort|uniq|cut|tr|type|which)$/;

/** Signs by program. Sources: the programs' own output, as the tests of this table show it. */
const table: readonly Signs[] = [
  {
    programs: /^(?:vitest|jest|ava|bun)$/,
    failed: /^(?:Tests?|Test Suites|Test Files):? .{0,40}\b[1-9]\d{0,8} failed\b|^FAIL /,
    ok: /^(?:Tests?|Test Files):? .{0,40}\b[1-9]\d{0,8} passed\b/,
  },
  {
    programs: /^(?:mocha|cypress)$/,
    failed: /^[1-9]\d{0,8} failing\b/,
    ok: /^[1-9]\d{0,8} passing\b/,
  },
  {
    programs: /^(?:pytest|py\.test|python3?|tox|nox)$/,
    failed: /^(?:FAILED|ERROR) \S|^Traceback \(most recent call last\):/,
    ok: /^OK(?: \(skipped=\d{1,9}\))?$/,
  },
  {
    programs: /^(?:pytest|py\.test|python3?|tox|nox)$/,
    failed: /^=* ?[1-9]\d{0,8} (?:failed|errors?)\b/,
    ok: /^=* ?[1-9]\d{0,8} passed\b/,
  },
  {
    programs: /^go$/,
    failed: /^(?:--- FAIL|FAIL\b|panic: )|^[^: ]{1,200}\.go:\d{1,9}:\d{1,9}: /,
    ok: /^ok\s/,
  },
  {
    programs: /^cargo$/,
    failed: /^error(?:\[E\d{4}\])?: |^test result: FAILED|^thread .{0,80} panicked at /,
    ok: /^test result: ok\.|^Finished [`\w]/,
  },
  { programs: /^(?:make|gmake)$/, failed: /^g?make(?:\[\d{1,3}\])?: \*\*\* / },
  { programs: /^(?:tsc|vue-tsc)$/, failed: /\berror TS\d{3,6}: /, ok: /^Found 0 errors/ },
  {
    programs: /^eslint$/,
    failed: /^✖ \d{1,9} problems? \([1-9]\d{0,8} errors?/,
    ok: /^✖ \d{1,9} problems? \(0 errors/,
  },
  {
    programs: /^git$/,
    failed: /^(?:fatal|error): |^CONFLICT \(|^! \[(?:remote )?rejected\]|^Automatic merge failed/,
    ok: /^\[[^\]]{1,200} [0-9a-f]{7,40}\]|^Already up to date|^[0-9a-f]{7,40}\.\.[0-9a-f]{7,40} |^\* \[new (?:branch|tag)\]|^Switched to |^nothing to commit/,
  },
  {
    programs: /^(?:docker|docker-compose|podman)$/,
    failed: /^ERROR: |^Error response from daemon|^failed to solve|^#\d{1,9} ERROR/,
    ok: /^Successfully (?:built|tagged) |^#\d{1,9} (?:naming to|writing image) .{0,300} done$/,
  },
  {
    programs: /^(?:npm|npx)$/,
    failed: /^npm (?:ERR!|error) /,
    ok: /^(?:added|changed|removed) \d{1,9} packages?\b|^up to date\b/,
  },
  {
    programs: /^(?:pnpm|pnpx)$/,
    failed: /^ERR_PNPM_|^ELIFECYCLE\b/,
    ok: /^Done in \d|^Already up to date$/,
  },
  {
    programs: /^yarn$/,
    failed: /^error Command failed|^error An unexpected error/,
    ok: /^(?:✨ +)?Done in \d|^success /,
  },
];

/** How a line of a shell or a system ends when a command could not run. */
const shellFailures: readonly string[] = [
  ': command not found',
  ': not found',
  ': No such file or directory',
  ': Permission denied',
  ': Not a directory',
  ': Is a directory',
];

/** How a line begins when the system, or the host, ended a command. */
const endings: readonly string[] = ['Segmentation fault', 'Killed', 'Aborted', 'Command timed out'];

/** Programs that end with an exit code above 0 when they find nothing, or a difference. */
const finders = /^(?:grep|rg|ag|ack|find|diff|which)$/;

/** Whether a command line ends with a program that looks for something: to find nothing is no error. */
export function endsWithSearch(command: string): boolean {
  return finders.test(leadingPrograms(command).at(-1) ?? '');
}

/** Whether each part of a command line only prints what it reads or finds. */
export function onlyReads(command: string): boolean {
  const leading = leadingPrograms(command).filter((program) => program !== 'cd');
  return leading.length > 0 && leading.every((program) => readers.test(program));
}

/** Whether a line says why a program could not read or run: by its end, or `program: ` before it. */
export function isShellComplaint(line: string): boolean {
  return (
    isShellFailure(line) || /^(?:cat|head|tail|sed|awk|grep|rg|find|ls|jq|diff): \S/.test(line)
  );
}

function isShellFailure(line: string): boolean {
  return (
    shellFailures.some((end) => line.endsWith(end)) ||
    endings.some((start) => line.startsWith(start))
  );
}

/** How many characters at each end of an output are searched. */
const reach = 8000;

/** The programs that a command line runs, without paths, settings of the environment and their flags. */
function programsOf(command: string): string[] {
  return command
    .split(/&&|\|\||[;|\n]/)
    .flatMap((part) => part.trim().split(/\s+/).slice(0, 6))
    .filter((word) => /^[\w./@-]{1,100}$/.test(word) && !word.startsWith('-'))
    .map((word) => word.slice(word.lastIndexOf('/') + 1));
}

/** What stands in quotes, or from a quote that nothing closes to the end. */
const quoted = /'[^']*(?:'|$)|"(?:[^"\\]|\\[\s\S])*(?:"|\\?$)/g;

/** A command line without what stands in quotes: that names no program, whatever signs it holds. */
function withoutQuoted(command: string): string {
  return command.replace(quoted, (text) => (/^(['"])[\s\S]*\1$/.test(text) ? '""' : text));
}

/** The first program of each part of a command line. */
function leadingPrograms(command: string): string[] {
  return withoutQuoted(command)
    .split(/&&|\|\||[;|\n]/)
    .flatMap((part) => {
      const words = part.trim().split(/\s+/);
      const first = words.find((word) => !/^\w{1,60}=/.test(word));
      return first === undefined || first === '' ? [] : [first.slice(first.lastIndexOf('/') + 1)];
    });
}

/** Longest part of a line that is looked at, characters. */
const maxLine = 400;

function linesOf(text: string): string[] {
  const ends = text.length <= 2 * reach ? text : `${text.slice(0, reach)}\n${text.slice(-reach)}`;
  return ends.split('\n').map((line) => line.slice(0, maxLine).trim());
}

/** Patterns of several signs as one, by the places of the signs in the table: each line is looked at once. */
const joined = new Map<string, RegExp>();

/** Whether a line has one of the signs. None of the patterns has flags. */
function hasSign(lines: readonly string[], signs: readonly Signs[], of: 'failed' | 'ok'): boolean {
  const key = `${of} ${signs.map((sign) => table.indexOf(sign)).join(' ')}`;
  const sources = signs.flatMap((sign) => sign[of]?.source ?? []);
  if (sources.length === 0) return false;
  const pattern = joined.get(key) ?? new RegExp(sources.join('|'));
  joined.set(key, pattern);
  return lines.some((line) => pattern.test(line));
}

/** What the output of a command shows, without an exit code. */
function shownBy(command: string, output: string): Outcome {
  const lines = linesOf(output);
  if (lines.some(isShellFailure)) return 'failed';
  if (onlyReads(command)) return 'unknown';
  const programs = programsOf(command);
  const runsAny = programs.some((program) => runners.test(program));
  const signs = table.filter(
    ({ programs: known }) => runsAny || programs.some((program) => known.test(program)),
  );
  if (hasSign(lines, signs, 'failed')) return 'failed';
  return hasSign(lines, signs, 'ok') ? 'ok' : 'unknown';
}

/**
 * Returns how a command ended: by the tool's own error flag, else by the failures that its output shows, else by its exit code, else by
 * what its output shows of a success. A pipe hides the exit code of what failed in it, so a shown failure counts more than an exit
 * code of 0. `unknown` is never success. Runs a few expressions over 16,000 characters.
 */
export function outcomeOf({ command, result, isError, exitCode }: HistoryCall): Outcome {
  if (isError || (exitCode !== undefined && exitCode !== 0)) return 'failed';
  const shown =
    command === undefined || result === undefined ? 'unknown' : shownBy(command, result);
  if (shown !== 'unknown') return shown;
  return exitCode === 0 ? 'ok' : 'unknown';
}

/** The outcome in words for the end of a line. */
export function outcomeText(call: HistoryCall): string {
  const outcome = outcomeOf(call);
  const { exitCode, refusal } = call;
  if (refusal !== undefined) return '(refused by the user)';
  if (outcome === 'unknown') return '(outcome not shown)';
  if (exitCode !== undefined && (exitCode !== 0) === (outcome === 'failed')) {
    return `(exit ${String(exitCode)})`;
  }
  return `(${outcome})`;
}
