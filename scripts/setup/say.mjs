/** One line of progress for a person, on stderr. */
export function say(line) {
  process.stderr.write(`ctx: ${line}\n`);
}

/** `1.2 s` since `startedAt` (from performance.now). */
export function since(startedAt) {
  return `${((performance.now() - startedAt) / 1000).toFixed(1)} s`;
}
