/** Where requests go, by the API that they speak. */
export interface Upstreams {
  readonly anthropic: URL;
  readonly openai: URL;
  readonly gemini: URL;
}

/** The providers themselves. */
export const defaultUpstreams: Upstreams = {
  anthropic: new URL('https://api.anthropic.com'),
  openai: new URL('https://api.openai.com'),
  gemini: new URL('https://generativelanguage.googleapis.com'),
};

/** The address that a path is asked at: what speaks for no API goes where the headers point. */
export function upstreamOf(
  upstreams: Upstreams,
  path: string,
  headers: Readonly<Record<string, unknown>>,
): URL {
  const base = baseOf(upstreams, path, headers);
  return new URL(base.origin + withoutSlashes(base.pathname) + path);
}

function withoutSlashes(path: string): string {
  return path.endsWith('/') ? withoutSlashes(path.slice(0, -1)) : path;
}

function baseOf(
  upstreams: Upstreams,
  path: string,
  headers: Readonly<Record<string, unknown>>,
): URL {
  if (/^\/v1\/messages(?:[/?]|$)/.test(path)) return upstreams.anthropic;
  if (/^(?:\/v1)?\/(?:responses|chat)(?:[/?]|$)/.test(path)) return upstreams.openai;
  if (/^\/v1(?:beta|alpha)\//.test(path) || 'x-goog-api-key' in headers) return upstreams.gemini;
  const isAnthropic = 'anthropic-version' in headers || 'x-api-key' in headers;
  return isAnthropic || !path.startsWith('/v1/') ? upstreams.anthropic : upstreams.openai;
}
