/**
 * Makes an error that core's `isCtxError` recognises by name and code; this package stands beside core and imports
 * nothing of it.
 */
export function invalidInput(message: string): Error & { readonly code: 'CTX_INVALID_INPUT' } {
  const error = new Error(message);
  error.name = 'CtxError';
  return Object.assign(error, { code: 'CTX_INVALID_INPUT' as const });
}
