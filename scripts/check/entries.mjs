import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { publicPackages } from '../setup/workspace.mjs';

/**
 * Returns the entries of the public packages with the names that each exports, values and types apart, as the export lists of its
 * source name them: `[{ entry: '@ctx/store/backend', folder, values: [], types: [] }]`.
 */
export function publicEntries() {
  return publicPackages().flatMap(({ folder, manifest }) =>
    Object.entries(manifest.exports ?? {})
      .map(([key, target]) => [path.posix.join(manifest.name, key), target['@ctx/source']])
      .filter(([, source]) => source !== undefined && existsSync(path.join(folder, source)))
      .map(([entry, source]) => ({ entry, folder, ...namesOf(path.join(folder, source)) })),
  );
}

const lists = /^export (type )?\{([^}]*)\}/gm;
const definitions =
  /^export (?:declare )?(?:abstract )?(?:async )?(const|let|function\*?|class|interface|type) (\w+)/gm;

function namesOf(file) {
  const text = readFileSync(file, 'utf8').replaceAll(/\/\*.*?\*\/|\/\/.*$/gms, '');
  const [values, types] = [new Set(), new Set()];
  for (const [, allTypes, list] of text.matchAll(lists)) {
    for (const item of list.split(/\s*,\s*/).map((one) => one.trim())) {
      if (item === '') continue;
      const isType = allTypes !== undefined || item.startsWith('type ');
      (isType ? types : values).add(item.split(/\s+/).at(-1));
    }
  }
  for (const [, kind, name] of text.matchAll(definitions)) {
    (kind === 'interface' || kind === 'type' ? types : values).add(name);
  }
  return { values: [...values], types: [...types] };
}
