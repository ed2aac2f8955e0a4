/** The first of several ways to do one thing: `npm test` tries that one, the campaigns try all. */
export function waysToTry<Way>(ways: readonly Way[]): readonly Way[] {
  return process.env['CTX_TEST_CAMPAIGN'] === '1' ? ways : ways.slice(0, 1);
}
