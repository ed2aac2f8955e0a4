import type { RelevancePolicy } from '../select/relevance-policy.ts';
import { type NamedFiles, pathNames } from '../words/path-names.ts';

/** The files that documents are about, numbered, and found by what a prompt may call them. */
export interface FileTable {
  /** The number of the file at `path`, a new one where it is not known yet. */
  numberOf(path: string): number;
  pathOf(number: number): string;
  count(): number;
  /** How surely the prompt names each file, by number; 0 where it does not. */
  namedShares(named: NamedFiles, policy: RelevancePolicy): Float64Array;
}

/** An empty table. */
export function createFileTable(): FileTable {
  const numbers = new Map<string, number>();
  const paths: string[] = [];
  const byPath = new Map<string, number[]>();
  const byFile = new Map<string, number[]>();
  const byStem = new Map<string, number[]>();

  function numberOf(path: string): number {
    const known = numbers.get(path);
    if (known !== undefined) return known;
    const number = numbers.size;
    numbers.set(path, number);
    paths.push(path);
    const { folder, file, stem } = pathNames(path);
    if (folder !== '') push(byPath, `${folder}/${file}`, number);
    push(byFile, file, number);
    push(byStem, stem, number);
    return number;
  }

  function namedShares(named: NamedFiles, policy: RelevancePolicy): Float64Array {
    const shares = new Float64Array(numbers.size);
    const raise = (
      table: Map<string, number[]>,
      keys: ReadonlySet<string>,
      share: number,
    ): void => {
      for (const key of keys) {
        for (const file of table.get(key) ?? []) shares[file] = Math.max(shares[file] ?? 0, share);
      }
    };
    raise(byStem, named.names, policy.namedStem);
    raise(byFile, named.names, policy.namedFile);
    raise(byPath, named.paths, policy.namedPath);
    return shares;
  }

  return {
    numberOf,
    pathOf: (number) => paths[number] ?? '',
    count: () => numbers.size,
    namedShares,
  };
}

function push(table: Map<string, number[]>, key: string, number: number): void {
  if (key === '') return;
  const list = table.get(key);
  if (list === undefined) table.set(key, [number]);
  else list.push(number);
}
