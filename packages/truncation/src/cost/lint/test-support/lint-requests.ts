import {
  type CacheLint,
  createCacheLinter,
  type LintOptions,
  type LoggedRequest,
} from '../lint-cache.ts';

/** Judges requests that are at hand. */
export function lintCache(requests: Iterable<LoggedRequest>, options: LintOptions): CacheLint {
  const linter = createCacheLinter(options);
  for (const request of requests) linter.add(request);
  return linter.result();
}
