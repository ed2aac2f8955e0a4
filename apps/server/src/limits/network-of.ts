import { isIP, isIPv4 } from 'node:net';

/** How a system that listens to both kinds of addresses writes those of four numbers. */
const mapped = '::ffff:';
/** Groups of an address that stay the same in one network. */
const networkGroups = 4;
const groupsOfAddress = 8;

function groupsOf(text: string): string[] {
  return text === '' ? [] : text.split(':');
}

/**
 * Whom an address stands for: itself, or the network of 64 bits that one host has for itself in IPv6, so that it cannot take a new
 * address for each request. `unknown` for what is no address.
 */
export function networkOf(address: string): string {
  const [plain = ''] = address.toLowerCase().split('%', 1);
  const four = plain.startsWith(mapped) ? plain.slice(mapped.length) : plain;
  if (isIPv4(four)) return four;
  if (isIP(plain) === 0) return 'unknown';
  const [head = '', tail] = plain.split('::');
  const first = groupsOf(head);
  const last = groupsOf(tail ?? '');
  const missing = groupsOfAddress - first.length - last.length;
  const zeros = tail === undefined ? [] : Array.from({ length: missing }, () => '0');
  const groups = [...first, ...zeros, ...last].slice(0, networkGroups);
  return `${groups.map((group) => Number.parseInt(group, 16).toString(16)).join(':')}::/64`;
}
