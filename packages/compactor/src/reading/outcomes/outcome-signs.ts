/** How a line of a program's output begins or looks if it failed, and if it succeeded. Lines are tested without the blanks around them. */
export interface Signs {
  /** The words of a command line that run the program. */
  readonly programs: RegExp;
  readonly failed?: RegExp;
  readonly ok?: RegExp;
}

/** Signs by program. Sources: the programs' own output, as the tests of this table show it. */
export const table: readonly Signs[] = [
  {
    programs: /^(?:vitest|jest|ava|bun)$/,
    failed:
      /^(?:Tests?|Test Suites|Test Files):? .{0,40}\b[1-9]\d{0,8} failed\b|^FAIL |^Errors {1,20}[1-9]\d{0,8} errors?$|^No test files found, exiting with code 1|^Jest: .{1,120} coverage threshold .{1,120} not met/,
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
    failed: /^=* ?(?:\d{1,9} \w{1,20}, ){0,8}[1-9]\d{0,8} (?:failed|errors?)\b/,
    ok: /^=* ?[1-9]\d{0,8} passed\b/,
  },
  {
    programs: /^go$/,
    failed: /^(?:--- FAIL|FAIL\b|panic: )|^[^: ]{1,200}\.go:\d{1,9}:\d{1,9}: /,
    ok: /^ok\s+\S{1,300}\s+(?:\(cached\)|\d)(?!.{0,300}\[no tests to run\])/,
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
    programs: /^(?:golangci-lint|ruff|biome)$/,
    failed: /^[1-9]\d{0,8} issues:$|^Found [1-9]\d{0,8} errors?\b/,
    ok: /^0 issues\.$|^All checks passed!$|^Checked \d{1,9} files? in .{1,20}\. No fixes applied\.$/,
  },
  {
    programs: /^git$/,
    failed: /^(?:fatal|error): |^CONFLICT \(|^! \[(?:remote )?rejected\]|^Automatic merge failed/,
    ok: /^\[[^\]]{1,200} [0-9a-f]{7,40}\]|^Already up to date|^[0-9a-f]{7,40}\.\.[0-9a-f]{7,40} |^\* \[new (?:branch|tag)\]|^Switched to |^nothing to commit/,
  },
  {
    programs: /^(?:docker|docker-compose|podman)$/,
    failed:
      /^ERROR: |^Error response from daemon|^failed to solve|^#\d{1,9} ERROR|^(?:docker: )?Cannot connect to the Docker daemon|^docker: Error /,
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
    failed:
      /^error Command failed|^error An unexpected error|^➤ YN\d{4}: .{0,10}Failed with errors/,
    ok: /^(?:✨ +)?Done in \d|^success |^➤ YN\d{4}: .{0,10}Done /,
  },
  {
    programs: /^(?:node|tap|tape|deno)$/,
    failed: /^(?:#|ℹ) fail [1-9]|^not ok \d{1,9}\b(?!.{0,300}# (?:TODO|SKIP)\b)/,
    ok: /^(?:#|ℹ) fail 0$/,
  },
  {
    programs: /^(?:gradlew?|mvnw?)$/,
    failed: /^BUILD FAILED\b|^\[INFO\] BUILD FAILURE\b/,
    ok: /^BUILD SUCCESSFUL\b|^\[INFO\] BUILD SUCCESS\b/,
  },
  {
    programs: /^(?:vite|rollup|webpack|next|astro)$/,
    failed: /^(?:✗|x) Build failed\b|^error during build:|^Failed to compile/,
    ok: /^✓ built in \d/,
  },
];
