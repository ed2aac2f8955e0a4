import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { readJson } from './workspace.mjs';

/**
 * Returns what a bundle takes for a compiled file. By its name as a whole zod comes whole, with messages in fifty languages; as a name
 * space only what is used of it. The tokenizer is found from the package that depends on it.
 */
export function bundledText(file) {
  return readFileSync(file, 'utf8')
    .replace(/^import \{ z \} from ['"]zod['"];$/m, "import * as z from 'zod';")
    .replace('createRequire(import.meta.url)', "createRequire(import.meta.resolve('@ctx/tokens'))");
}

/** A plugin of esbuild that does so. */
export const bundledParts = {
  name: 'bundled-parts',
  setup(build) {
    build.onLoad({ filter: /\/dist\/.*\.js$/ }, ({ path: file }) => ({
      contents: bundledText(file),
      loader: 'js',
    }));
  },
};

/** Writes which packages of others a bundle holds, each with its licence, as the licences ask for. Takes the `metafile` of esbuild. */
export function noteThirdParties({ inputs }, file) {
  const folders = Object.keys(inputs).flatMap(
    (input) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(input)?.[0] ?? [],
  );
  const notes = [...new Set(folders)].map((folder) => {
    const { name, version, license } = readJson(path.join(folder, 'package.json'));
    const text = readdirSync(folder).find((one) => /^licen[cs]e/i.test(one));
    const words = text === undefined ? '' : readFileSync(path.join(folder, text), 'utf8').trim();
    return `${name} ${version} (${license})\n\n${words}\n`;
  });
  writeFileSync(file, [...new Set(notes)].toSorted().join(`\n${'-'.repeat(80)}\n\n`));
}
