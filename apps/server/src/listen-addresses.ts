import { isIP, isIPv6 } from 'node:net';
import { CtxError } from '@ctx/core';
import { type AddressRules, loopbackRules } from './http/address-guard.ts';

/** Where the server listens, and as what clients call it. */
export interface Listening {
  readonly host?: string;
  readonly names?: readonly string[];
  readonly port: number;
}

const everywhere = new Set(['0.0.0.0', '::']);
const loopback = new Set(['127.0.0.1', '::1', 'localhost']);

/** A name as it stands in a Host header; undefined for what can be none. */
function hostOf(name: string): string | undefined {
  const bare = isIPv6(name) ? `[${name}]` : name;
  const url = `http://${bare}`;
  if (!/^[A-Za-z0-9.:[\]-]+$/.test(bare) || !URL.canParse(url)) return undefined;
  const { host, pathname } = new URL(url);
  return pathname === '/' && host !== '' ? host : undefined;
}

function rulesOfName(name: string, port: number): readonly [string[], string[]] {
  const host = hostOf(name);
  if (host === undefined) {
    throw new CtxError('CTX_USAGE', `a name must be host or host:port, got ${name}`);
  }
  const hasPort = new URL(`http://${host}`).port !== '';
  // Behind a balancer the port is that of the scheme, which no header and no origin names.
  const hosts = hasPort ? [host] : [host, `${host}:${String(port)}`];
  return [hosts, hosts.flatMap((one) => [`http://${one}`, `https://${one}`])];
}

/**
 * The names beside those of this machine's own.
 * @throws `CTX_INVALID_INPUT` if it listens to all addresses and none was named.
 */
function namesOf({ host = '127.0.0.1', names = [] }: Listening): readonly string[] {
  if (loopback.has(host)) return names;
  if (!everywhere.has(host)) return isIP(host) === 0 ? names : [host, ...names];
  if (names.length > 0) return names;
  const message = `a server at ${host} must know how clients call it: name it, such as --name ctx.example.org`;
  throw new CtxError('CTX_USAGE', message);
}

/**
 * Returns the names by which a server may be called; `undefined` if those of the loopback are all.
 *
 * @throws `CTX_USAGE` if it cannot know them: the Host header is checked.
 */
export function addressesOf(listening: Listening): AddressRules | undefined {
  const names = namesOf(listening);
  const { port } = listening;
  if (names.length === 0) return undefined;
  if (port === 0) {
    throw new CtxError(
      'CTX_USAGE',
      'port 0 goes with the names of this machine alone: name a port',
    );
  }
  const local = loopbackRules(port);
  const hosts = new Set(local.hosts);
  const origins = new Set(local.origins);
  for (const name of names) {
    const [ownHosts, ownOrigins] = rulesOfName(name, port);
    for (const value of ownHosts) hosts.add(value);
    for (const value of ownOrigins) origins.add(value);
  }
  return { hosts, origins };
}
