import { pathOfArgs } from '@ctx/store';

/** The members under which tools list the files of one call, such as `{ files: [{ path }] }`. */
const listNames = ['paths', 'files', 'file_paths', 'filePaths', 'replacements', 'file', 'args'];

/** Most files of one call, and how deep a list may lie. */
const [maxFiles, maxDepth] = [100, 3];

function pathsIn(value: unknown, depth: number): string[] {
  if (depth > maxDepth || typeof value !== 'object' || value === null) return [];
  if (Array.isArray(value)) {
    return value.slice(0, maxFiles).flatMap((item: unknown) => {
      if (typeof item === 'string') return [item];
      return pathOfArgs(item) ?? pathsIn(item, depth + 1);
    });
  }
  const name: unknown = Object.hasOwn(value, 'name') ? Reflect.get(value, 'name') : undefined;
  const listed = listNames.flatMap((list) =>
    Object.hasOwn(value, list) ? pathsIn(Reflect.get(value, list), depth + 1) : [],
  );
  return listed.length === 0 && depth > 1 && typeof name === 'string' ? [name] : listed;
}

/**
 * The files that a call lists, each once; patterns such as `src/*.ts` are no files.
 * Looks at no more than 100 items of a list.
 */
export function listedPaths(input: unknown): readonly string[] {
  return [...new Set(pathsIn(input, 0))].filter((path) => path !== '' && !/[*?\n]/.test(path));
}
