import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** Writes which packages of others a bundle holds, each with its licence, as the licences ask for. Takes the `metafile` of esbuild. */
export function noteThirdParties({ inputs }, file) {
  const folders = Object.keys(inputs).flatMap(
    (input) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(input)?.[0] ?? [],
  );
  const notes = [...new Set(folders)].map((folder) => {
    const { name, version, license } = JSON.parse(readFileSync(path.join(folder, 'package.json')));
    const text = readdirSync(folder).find((one) => /^licen[cs]e/i.test(one));
    const words = text === undefined ? '' : readFileSync(path.join(folder, text), 'utf8').trim();
    return `${name} ${version} (${license})\n\n${words}\n`;
  });
  writeFileSync(file, [...new Set(notes)].toSorted().join(`\n${'-'.repeat(80)}\n\n`));
}
