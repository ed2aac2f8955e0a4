import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

interface PackageFile {
  readonly devDependencies: Readonly<Record<string, string>>;
  readonly peerDependencies: Readonly<Record<string, string>>;
  readonly peerDependenciesMeta: Readonly<Record<string, { readonly optional?: boolean }>>;
}

const read = (path: string): PackageFile =>
  JSON.parse(readFileSync(new URL(path, import.meta.url), 'utf8')) as PackageFile;

const { peerDependencies, peerDependenciesMeta } = read('../packages/agent-adapter/package.json');
const { devDependencies } = read('./package.json');

/** The SDKs that these tests run, with the version of each. */
const tested = Object.entries(devDependencies).flatMap(([name, version]) => {
  const [, alias = name, exact = version] = /^npm:(.+)@([^@]+)$/.exec(version) ?? [];
  return Object.hasOwn(peerDependencies, alias) ? [[alias, exact] as const] : [];
});

const numbersOf = (version: string): number[] => version.split('.').map(Number);

/** Whether a version is in a range such as `^1.2.0 || ^2.0.0`. */
function isIn(version: string, range: string): boolean {
  const own = numbersOf(version);
  return range.split(' || ').some((caret) => {
    const least = numbersOf(caret.slice(1));
    const fixed = least[0] === 0 ? 2 : 1;
    const isSame = least.slice(0, fixed).every((number, at) => number === own[at]);
    const at = own.findIndex((number, place) => number !== least[place]);
    return isSame && (at < 0 || (own[at] ?? 0) > (least[at] ?? 0));
  });
}

it.each(tested)('names %s as a peer in a range that holds the tested version %s', (name, exact) => {
  expect(isIn(exact, peerDependencies[name] ?? '')).toBe(true);
  expect(peerDependenciesMeta[name]).toEqual({ optional: true });
});

it('names as peers what is tested, and nothing else', () => {
  const names = new Set(tested.map(([name]) => name));
  expect([...names].toSorted()).toEqual(Object.keys(peerDependencies).toSorted());
  const majors = (wanted: string): unknown[] =>
    tested.flatMap(([name, version]) => (name === wanted ? numbersOf(version)[0] : [])).toSorted();
  expect(majors('ai')).toEqual([6, 7]);
  // The newer ones need Node 22.
  expect(majors('openai')).toEqual([6, 7]);
  expect(majors('@google/genai')).toEqual([2, 3]);
});
