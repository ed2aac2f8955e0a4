import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { loadSessions } from '@ctx/replay';

export type SessionTimes = Parameters<typeof loadSessions>[1];

/** Transcripts of one agent at one project. */
export interface DataSet {
  readonly name: string;
  readonly files: readonly string[];
}

/** `../shared/data` beside the repository, whether this runs from source or from dist. */
export function sharedData(): string {
  let folder = import.meta.dirname;
  while (!existsSync(join(folder, 'pnpm-workspace.yaml')) && dirname(folder) !== folder) {
    folder = dirname(folder);
  }
  return resolve(folder, '../shared/data');
}

function filesOf(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}

/** Each folder of `transcripts` and `native` is a set of its own. Empty where there is no data. */
export function dataSets(root: string): DataSet[] {
  return ['transcripts', 'native'].flatMap((kind) => {
    const folder = join(root, kind);
    if (!existsSync(folder)) return [];
    return readdirSync(folder)
      .sort()
      .map((name) => ({ name: `${kind}/${name}`, files: filesOf(join(folder, name)) }));
  });
}

/** The real send times beside the data, by session. */
export function timesIn(root: string): SessionTimes {
  const file = join(root, 'times.json');
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as SessionTimes) : {};
}
