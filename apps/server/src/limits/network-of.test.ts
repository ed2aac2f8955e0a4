import { describe, expect, it } from 'vitest';
import { networkOf } from './network-of.ts';

describe('whom an address stands for', () => {
  it.each([
    ['127.0.0.1', '127.0.0.1'],
    ['::ffff:10.0.0.7', '10.0.0.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:DB8:1:2::9', '2001:db8:1:2::/64'],
    ['2001:db8::9', '2001:db8:0:0::/64'],
    ['2001:0db8:0000::9', '2001:db8:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['1::2:3:4:5:6:7', '1:0:2:3::/64'],
    ['not an address', 'unknown'],
    ['', 'unknown'],
  ])('%s is %s', (address, network) => {
    expect(networkOf(address)).toBe(network);
  });
});
