import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Extractor, ExtractorConfig } from '@microsoft/api-extractor';
import { publicPackages, root } from '../setup/workspace.mjs';
import { publicEntries } from './entries.mjs';

/**
 * The public face of each small package, one report per entry, in etc/: a change shows in review as a diff. Of a package with more than 60
 * names nobody reads it. `--write` writes the reports; without it a difference fails.
 */
const mostNames = 60;
const isWriting = process.argv.includes('--write');
const scratch = mkdtempSync(path.join(tmpdir(), 'ctx-api-'));
process.on('exit', () => rmSync(scratch, { recursive: true, force: true }));

for (const { name, folder, manifest } of publicPackages()) {
  const entries = publicEntries().filter((one) => one.folder === folder);
  const names = entries.reduce((sum, one) => sum + one.values.length + one.types.length, 0);
  const reported = names > mostNames ? [] : entries;
  const reports = reported.flatMap(({ entry }) => {
    const key = entry === manifest.name ? '.' : `.${entry.slice(manifest.name.length)}`;
    const { types } = manifest.exports[key];
    if (types === undefined) return [];
    const reportName = [name, ...key.split('/').slice(1)].join('-');
    extract({ folder, reportName, types });
    return [`${reportName}.api.md`];
  });
  removeStrays(path.join(folder, 'etc'), reports);
}

function extract({ folder, reportName, types }) {
  const etc = path.join(folder, 'etc');
  mkdirSync(etc, { recursive: true });
  const silent = { default: { logLevel: 'none' } };
  const config = ExtractorConfig.prepare({
    configObject: {
      projectFolder: folder,
      mainEntryPointFilePath: path.join(folder, types),
      compiler: { overrideTsconfig: compilerOptions(folder) },
      apiReport: {
        enabled: true,
        reportFileName: `${reportName}.api.md`,
        reportFolder: etc,
        reportTempFolder: scratch,
        includeForgottenExports: true,
      },
      docModel: { enabled: false },
      dtsRollup: { enabled: false },
      tsdocMetadata: { enabled: false },
      newlineKind: 'lf',
      messages: { extractorMessageReporting: silent, tsdocMessageReporting: silent },
    },
    packageJsonFullPath: path.join(folder, 'package.json'),
  });
  const messageCallback = (message) => {
    message.handled = true;
    if (message.logLevel === 'error') report(`${reportName}: ${message.text}`);
  };
  const { apiReportChanged } = Extractor.invoke(config, { localBuild: isWriting, messageCallback });
  if (apiReportChanged && !isWriting) {
    report(`${path.relative(root, etc)}/${reportName}.api.md is out of date: npm run api:write`);
  }
}

/** The extractor brings its own, older TypeScript: it reads only what is built, so few options matter. */
function compilerOptions(folder) {
  return {
    compilerOptions: {
      target: 'ES2022',
      lib: ['ES2023'],
      module: 'NodeNext',
      strict: true,
      skipLibCheck: true,
      types: ['node'],
      typeRoots: [path.join(root, 'node_modules/@types')],
    },
    include: [path.join(folder, 'dist/**/*.d.ts')],
  };
}

function removeStrays(etc, reports) {
  for (const name of existsSync(etc) ? readdirSync(etc) : []) {
    if (!name.endsWith('.api.md') || reports.includes(name)) continue;
    if (isWriting) rmSync(path.join(etc, name));
    else report(`${path.relative(root, etc)}/${name} is of an entry that is gone or too large`);
  }
}

function report(line) {
  console.log(line);
  process.exitCode = 1;
}
