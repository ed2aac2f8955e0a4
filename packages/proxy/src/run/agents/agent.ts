import { CtxError } from '@ctx/core';
import type { Upstreams } from '../../http/upstreams.ts';

/** The agents whose settings are known. */
export const knownAgents = ['claude', 'codex', 'opencode', 'gemini'] as const;

export type KnownAgent = (typeof knownAgents)[number];

/** What is known of the user's machine. */
export interface AgentPlace {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The texts of the agent's own settings files, those that count most first. */
  readonly settings: readonly string[];
  /** The texts of the `.env` files that the agent may load. Default: none. */
  readonly envFiles?: readonly string[];
  /** The user's own arguments. */
  readonly args: readonly string[];
}

/** How an agent is started so that it asks the proxy. No file changes. */
export interface AgentRun {
  readonly command: string;
  /** Before the user's own arguments. */
  readonly args: readonly string[];
  /** Beside the environment as it is. */
  readonly env: Readonly<Record<string, string>>;
  /** Where its requests would have gone. */
  readonly upstreams: Upstreams;
}

export function given(text: string | undefined): string | undefined {
  return text === undefined || text.trim() === '' ? undefined : text;
}

/**
 * Reads the address that requests go to.
 * @throws CtxError `CTX_INVALID_INPUT` if it is no address of HTTP.
 */
export function upstreamAt(name: string, url: string): URL {
  if (/^https?:\/\//i.test(url) && URL.canParse(url)) return new URL(url);
  throw new CtxError(
    'CTX_INVALID_INPUT',
    `${name} must be an address such as https://gateway.example, got ${url}`,
  );
}

/** An address without the version that the client's paths begin with. */
export function withoutVersion(name: string, url: string): URL {
  return upstreamAt(name, url.replace(/\/v1\/?$/, ''));
}

/** Whether an address ends in the version that the client's paths begin with; it does if none is given. */
export function isVersioned(url: string | undefined): boolean {
  return url === undefined || /\/v1\/?$/.test(url);
}
