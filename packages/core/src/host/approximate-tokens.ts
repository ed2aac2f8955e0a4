/** Interim version, to be replaced by the script-aware estimate. */
export function approximateTokens(text: string): number {
  return Math.ceil(text.length / 4);
}
