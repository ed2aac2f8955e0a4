import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { problem } from '../problems/problem.ts';

/** Where requests may come from and go to. */
export interface AddressRules {
  /** Values of the Host header that are this server, lower case, such as `127.0.0.1:4777`. */
  readonly hosts: ReadonlySet<string>;
  /** Origins whose pages may call, such as `http://127.0.0.1:4777`. */
  readonly origins: ReadonlySet<string>;
}

/** What is looked at of a request. */
interface AddressedRequest {
  readonly headers: IncomingHttpHeaders;
  readonly raw: IncomingMessage;
}

/** The names of the loopback, as a Host header and as the origin of a page, with a port. */
export function loopbackRules(port: number): AddressRules {
  const hosts = ['127.0.0.1', 'localhost', '[::1]'].map((name) => `${name}:${String(port)}`);
  return { hosts: new Set(hosts), origins: new Set(hosts.map((host) => `http://${host}`)) };
}

/** Compared as a parsed origin: `http://localhost:1@evil` is the origin of `evil`. */
function isKnownOrigin(origin: string, origins: ReadonlySet<string>): boolean {
  if (!URL.canParse(origin)) return false;
  return origins.has(new URL(origin).origin) && origins.has(origin);
}

/** Signs that one reader of a URL takes for a separator and the next does not. */
const doubtful = ['%2f', '%5c', '%2e', '%00', '\\'] as const;

/** A path without any sign that could be doubtful, as nearly all are. */
const plainPath = /^[^%\\.?]*(?:\?|$)/;

function isDoubtfulPath(url: string): boolean {
  if (plainPath.test(url)) return false;
  const path = (url.split('?', 1)[0] ?? '').toLowerCase();
  const parts = path.split('/');
  return (
    doubtful.some((sign) => path.includes(sign)) || parts.includes('..') || parts.includes('.')
  );
}

/**
 * Whether the path is of a form that readers agree on.
 * @throws 400.
 */
export function checkPath(url: string): void {
  if (isDoubtfulPath(url)) throw problem(400, 'The path contains encoded or ambiguous separators.');
}

/** Whether a request names its host more than once: Node keeps the first, a proxy in front may have believed the last. */
function hasSeveralHosts(rawHeaders: readonly string[]): boolean {
  let hosts = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    if (rawHeaders[at]?.length === 4 && rawHeaders[at]?.toLowerCase() === 'host') hosts += 1;
  }
  return hosts > 1;
}

/** Whether a request line that holds a whole address (`GET http://host/path`) names the host of the Host header. */
function isOfHost(url: string, host: string): boolean {
  return url.startsWith('/') || url === '*' || (URL.canParse(url) && new URL(url).host === host);
}

/**
 * Lets only requests through that name this server and come from none but its own pages.
 *
 * @throws 421 for another host, 403 for another origin, 400 for a host that readers take in different ways.
 */
export function checkAddress({ headers, raw }: AddressedRequest, rules: AddressRules): void {
  const host = headers.host?.toLowerCase() ?? '';
  if (hasSeveralHosts(raw.rawHeaders)) throw problem(400, 'The request names its host twice.');
  if (!isOfHost(raw.url ?? '/', host))
    throw problem(400, 'The address of the request and its Host header name different hosts.');
  if (!rules.hosts.has(host)) throw problem(421, 'This server does not answer to this host name.');
  const { origin } = headers;
  if (origin !== undefined && !isKnownOrigin(origin, rules.origins)) {
    throw problem(403, 'Pages from other origins may not call this server.');
  }
}
