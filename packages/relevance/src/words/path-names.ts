import type { RelevancePolicy } from '../select/relevance-policy.ts';

/** The last two names of a path, lower case. `folder` is '' where there is none. */
export interface PathNames {
  readonly folder: string;
  readonly file: string;
  readonly stem: string;
}

/** Names of files in a prompt, looked up by what they may stand for. */
export interface NamedFiles {
  /** `folder/file` for each path written with a folder. */
  readonly paths: ReadonlySet<string>;
  readonly names: ReadonlySet<string>;
}

/** Only the end of a path is looked at. Characters. */
const maxPathLength = 1_024;
/** Longer runs of a prompt are no file names. Characters. */
const maxNameLength = 1_024;

const nameRuns = /[\p{L}\p{M}\p{N}_.+~$/\\-]+/gu;

/** Splits a path of either slash into what a prompt may call it. */
export function pathNames(path: string): PathNames {
  const parts = lastParts(path.slice(-maxPathLength).toLowerCase());
  const file = parts.file;
  const dot = file.lastIndexOf('.');
  return { ...parts, stem: dot > 0 ? file.slice(0, dot) : file };
}

/** Finds everything in a prompt that may be the name of a file. Makes one pass. */
export function namedFiles(prompt: string): NamedFiles {
  const paths = new Set<string>();
  const names = new Set<string>();
  for (const [run] of prompt.toLowerCase().matchAll(nameRuns)) {
    if (run.length > maxNameLength) continue;
    const { folder, file } = lastParts(trimDots(run));
    names.add(file);
    if (folder !== '') paths.add(`${folder}/${file}`);
  }
  names.delete('');
  return { paths, names };
}

/** How surely the prompt names the file, by the shares of the policy; 0 where it does not. */
export function namedShare(file: PathNames, named: NamedFiles, policy: RelevancePolicy): number {
  if (file.folder !== '' && named.paths.has(`${file.folder}/${file.file}`)) return policy.namedPath;
  if (named.names.has(file.file)) return policy.namedFile;
  return named.names.has(file.stem) ? policy.namedStem : 0;
}

function lastParts(path: string): { readonly folder: string; readonly file: string } {
  const parts = path.split(/[/\\]/).filter((part) => part !== '');
  return { folder: parts.at(-2) ?? '', file: parts.at(-1) ?? '' };
}

/** A full stop after a name ends the sentence. */
function trimDots(run: string): string {
  let end = run.length;
  while (end > 0 && run[end - 1] === '.') end--;
  return run.slice(0, end);
}
