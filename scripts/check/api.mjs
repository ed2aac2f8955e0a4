import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Extractor, ExtractorConfig } from '@microsoft/api-extractor';
import { publicPackages, root } from '../setup/workspace.mjs';

/**
 * The public face of each package, one report an entry point, in etc/: a change shows in review as a diff.
 * `--write` makes the reports anew; without it a difference fails.
 */
const isWriting = process.argv.includes('--write');
const scratch = mkdtempSync(path.join(tmpdir(), 'ctx-api-'));
process.on('exit', () => rmSync(scratch, { recursive: true, force: true }));

for (const { name, folder, manifest } of publicPackages()) {
  const entries = Object.entries(manifest.exports ?? {}).filter(
    ([, target]) => target.types !== undefined,
  );
  const reports = entries.map(([entry, target]) => {
    const reportName = [name, ...entry.split('/').slice(1)].join('-');
    extract({ folder, reportName, types: target.types });
    return `${reportName}.api.md`;
  });
  if (entries.length > 0) removeStrays(path.join(folder, 'etc'), reports);
}

function extract({ folder, reportName, types }) {
  const etc = path.join(folder, 'etc');
  mkdirSync(etc, { recursive: true });
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
      messages: {
        compilerMessageReporting: { default: { logLevel: 'error' } },
        extractorMessageReporting: { default: { logLevel: 'none' } },
        tsdocMessageReporting: { default: { logLevel: 'none' } },
      },
    },
    configObjectFullPath: undefined,
    packageJsonFullPath: path.join(folder, 'package.json'),
  });
  const result = Extractor.invoke(config, {
    localBuild: isWriting,
    messageCallback: (message) => {
      message.handled = true;
      if (message.logLevel === 'error') report(`${reportName}: ${message.text}`);
    },
  });
  if (isWriting) return;
  if (result.apiReportChanged)
    report(`${path.relative(root, etc)}/${reportName}.api.md is out of date`);
}

/** The extractor brings its own, older TypeScript: it reads only what is built, so few options matter. */
function compilerOptions(folder) {
  return {
    compilerOptions: {
      target: 'ES2022',
      lib: ['ES2023'],
      module: 'NodeNext',
      moduleResolution: 'NodeNext',
      strict: true,
      skipLibCheck: true,
      types: ['node'],
      typeRoots: [path.join(root, 'node_modules/@types')],
    },
    include: [path.join(folder, 'dist/**/*.d.ts')],
  };
}

function removeStrays(etc, reports) {
  for (const name of readdirSync(etc)) {
    if (!name.endsWith('.api.md') || reports.includes(name)) continue;
    if (isWriting) rmSync(path.join(etc, name));
    else report(`${path.relative(root, etc)}/${name} speaks of an entry point that is gone`);
  }
}

function report(line) {
  console.log(line);
  process.exitCode = 1;
}
