import { readFileSync } from 'node:fs';
import path from 'node:path';

/**
 * What a bundle changes in what was compiled. By its name as a whole zod comes whole, with messages in fifty languages; as a name space
 * only what is used of it. The tokenizer is found from the package that depends on it.
 */
const changes = [
  [/^import \{ z \} from ['"]zod['"];$/m, "import * as z from 'zod';"],
  ['createRequire(import.meta.url)', "createRequire(import.meta.resolve('@ctx/tokens'))"],
];

const changed = (text) => changes.reduce((all, [from, to]) => all.replace(from, to), text);

/**
 * A plugin of esbuild that makes the changes. And what is imported of a package of ours is imported from the part that makes it: else
 * all that an index names goes into the file of whoever imports one name of it.
 */
export const bundledParts = {
  name: 'bundled-parts',
  setup(build) {
    // A package of ours is the same for whoever imports it.
    const indexes = new Map();
    const indexOf = (from, file) => {
      if (!indexes.has(from)) {
        const options = { kind: 'import-statement', resolveDir: path.dirname(file) };
        indexes.set(from, build.resolve(from, options));
      }
      return indexes.get(from);
    };
    build.onLoad({ filter: /\/dist\/.*\.js$/ }, async ({ path: file }) => {
      let contents = changed(readFileSync(file, 'utf8'));
      for (const [statement, names, from] of contents.matchAll(imports)) {
        const { path: index, external } = await indexOf(from, file);
        if (!external) contents = contents.replace(statement, importsOf(names, index));
      }
      return { contents, loader: 'js' };
    });
  },
};

/** As tsc writes them, and esbuild. */
const imports = /^import \{([^}]+)\} from ['"](@ctx\/[^'"]+)['"];$/gm;
const reExports = /^export \{([^}]+)\} from ['"](\.[^'"]+)['"];$/gm;

const listed = (names) =>
  names
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');

/** Imports of the same names from where the index has them. */
function importsOf(names, index) {
  return listed(names)
    .map((each) => {
      const [name, local = name] = each.split(' as ');
      return `import { ${name} as ${local} } from ${JSON.stringify(partOf(name, index))};`;
    })
    .join('');
}

function partOf(name, index) {
  if (!parts.has(index)) parts.set(index, partsOf(index));
  return parts.get(index).get(name) ?? index;
}

/** Of each index, the file that has a name of it. */
const parts = new Map();

function partsOf(index) {
  const found = readFileSync(index, 'utf8').matchAll(reExports);
  return new Map(
    [...found].flatMap(([, names, part]) =>
      listed(names).map((name) => [name, path.resolve(path.dirname(index), part)]),
    ),
  );
}
