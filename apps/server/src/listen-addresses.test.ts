import { describe, expect, it } from 'vitest';
import { addressesOf } from './listen-addresses.ts';

const own = ['127.0.0.1:80', 'localhost:80', '[::1]:80'];

describe('the names of a server', () => {
  it('are those of this machine where nobody says more', () => {
    expect(addressesOf({ port: 4777 })).toBeUndefined();
    expect(addressesOf({ host: '127.0.0.1', port: 0 })).toBeUndefined();
  });

  it.each([
    [{ names: ['ctx.example.org'] }, ['ctx.example.org', 'ctx.example.org:80']],
    [{ names: ['Ctx.Example.org:8443'] }, ['ctx.example.org:8443']],
    [{ host: '10.0.0.7' }, ['10.0.0.7', '10.0.0.7:80']],
    [{ host: 'fd00::7' }, ['[fd00::7]', '[fd00::7]:80']],
    [{ host: '0.0.0.0', names: ['a', 'b'] }, ['a', 'a:80', 'b', 'b:80']],
  ])('of %o are %o beside', (flags, hosts) => {
    const rules = addressesOf({ ...flags, port: 80 });
    expect([...(rules?.hosts ?? [])].toSorted()).toEqual([...own, ...hosts].toSorted());
    expect(rules?.origins.has(`https://${hosts[0] ?? ''}`)).toBe(true);
    expect(rules?.origins.has(`http://${hosts[0] ?? ''}`)).toBe(true);
  });

  it.each([
    [{ host: '0.0.0.0' }, /--name/],
    [{ host: '::' }, /--name/],
    [{ names: ['a/b'] }, /host or host:port/],
    [{ names: ['user@host'] }, /host or host:port/],
    [{ names: [''] }, /host or host:port/],
    [{ host: '10.0.0.7', port: 0 }, /port 0/],
  ])('%o is refused', (flags, message) => {
    expect(() => addressesOf({ port: 80, ...flags })).toThrow(message);
  });
});
