import fc from 'fast-check';
import { expect, test } from 'vitest';
import { commonRoot, fromRoot, rootLine, rootOfLine, withRoot } from './common-root.ts';

const files = ['/home/a/app/src/x.ts', '/home/a/app/src/y.ts', '/home/a/app/test/z.ts'];

test('the root is the folder that saves most, and each file keeps its own folder', () => {
  expect(commonRoot([...files, '/etc/hosts'])).toBe('/home/a/app/');
  expect(commonRoot([...files, '/home/a/app/src/v.ts', '/home/a/app/src/w.ts'])).toBe(
    '/home/a/app/',
  );
  expect(commonRoot(files.slice(1))).toBe('');
  expect(commonRoot([])).toBe('');
});

test('a root that is no path, too deep or too long is none', () => {
  const deep = (name: string): string => `/${'a/'.repeat(100_000)}${name}`;
  expect(commonRoot(['a', 'b', 'c', '', '/'])).toBe('');
  expect(commonRoot([deep('x'), deep('y'), deep('z')]).length).toBeLessThan(100);
  const long = (name: string): string => `/${'a'.repeat(400)}/b/c/${name}`;
  expect(commonRoot([long('x'), long('y'), long('z')])).toBe('');
});

test('every path comes back from its short name', () => {
  const path = fc.array(fc.constantFrom('/', 'a', 'src', '…', '.'), { maxLength: 8 });
  fc.assert(
    fc.property(fc.array(path, { minLength: 1, maxLength: 8 }), (parts) => {
      const paths = parts.map((one) => `/${one.join('')}`);
      const root = commonRoot(paths);
      for (const one of paths) expect(withRoot(fromRoot(one, root), root)).toBe(one);
    }),
  );
  expect(rootOfLine(rootLine('/home/a/'))).toBe('/home/a/');
  expect(rootOfLine(rootLine(''))).toBeUndefined();
  expect(rootOfLine('### src/a.ts')).toBeUndefined();
});
