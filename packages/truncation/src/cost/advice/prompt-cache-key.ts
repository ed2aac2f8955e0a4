import { fingerprintText } from '@ctx/core/encoding';

/** Longest `prompt_cache_key`, characters. Source: what the API of OpenAI answers to a longer one (`string_above_max_length`). */
export const maxCacheKeyLength = 64;

/** Whose requests share a beginning. */
export interface CacheKeyInput {
  readonly sessionId: string;
  /** Tells the agents of a session apart, each of which has a prompt of its own. Default: the main one. */
  readonly lane?: string;
  /** Default `default`. */
  readonly tenant?: string;
}

/**
 * The `prompt_cache_key` of OpenAI for a session: equal for all its requests, so that they are routed to where their beginning
 * is cached, and different for any two sessions, so that none is overrun (OpenAI advises about 15 requests a minute for each
 * beginning and key).
 * Pure; 36 characters of `a-z0-9-`. It is a digest: no name, id or secret can be read from it.
 * Source: "Prompt caching" in the documentation of the OpenAI API.
 */
export function promptCacheKey({
  sessionId,
  lane = 'main',
  tenant = 'default',
}: CacheKeyInput): string {
  const digest = fingerprintText(JSON.stringify(['prompt_cache_key', tenant, sessionId, lane]));
  return `ctx-${digest.slice(0, 32)}`;
}
