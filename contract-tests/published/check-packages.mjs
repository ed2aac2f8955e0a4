import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { publicPackages, root, tarballOf } from '../../scripts/setup/workspace.mjs';
import { execute, npm } from './execute.mjs';
import { firstExample } from './first-example.mjs';
import { nodeVersions } from './node-versions.mjs';

/**
 * The packages as a stranger meets them: the tarballs installed into an empty project outside the workspace, each
 * entry point imported, the first ts block of the repository's README and of each package's compiled against the
 * installed types and run, each command asked for help; on every Node that we promise.
 */
const limitMs = 60_000;
const project = mkdtempSync(path.join(tmpdir(), 'ctx packages '));
process.on('exit', () => rmSync(project, { recursive: true, force: true }));
const packed = publicPackages().map((one) => ({ ...one, tarball: tarballOf(one.folder) }));

if (await installAll()) {
  const examples = writeExamples();
  if (await compile()) await runOnEachNode([...examples, writeImports(), ...commands()]);
}

async function installAll() {
  const dependencies = packed.map(({ manifest, tarball }) => [manifest.name, `file:${tarball}`]);
  write('package.json', {
    private: true,
    type: 'module',
    dependencies: Object.fromEntries(dependencies),
  });
  const args = ['install', '--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error'];
  const { exitCode, output } = await npm(args, project);
  return exitCode === 0 || fail(`npm could not install the tarballs\n${output}`);
}

/** A package without an example fails: a newcomer would have nothing to start from. */
function writeExamples() {
  const names = [];
  for (const { name, folder } of [{ name: 'the-repository', folder: root }, ...packed]) {
    const example = firstExample(folder);
    const isApp = path.basename(path.dirname(folder)) === 'apps';
    if (example !== undefined) {
      write(`examples/${name}.ts`, example);
      names.push({ title: `the README example of ${name}`, args: [`out/${name}.js`] });
    } else if (!isApp) {
      fail(`${path.relative(root, folder)}/README.md has no \`\`\`ts block`);
    }
  }
  return names;
}

async function compile() {
  write('examples/nothing.ts', 'export {};\n');
  write('tsconfig.json', {
    compilerOptions: {
      target: 'ES2023',
      lib: ['ES2023'],
      module: 'NodeNext',
      moduleResolution: 'NodeNext',
      strict: true,
      exactOptionalPropertyTypes: true,
      noUncheckedIndexedAccess: true,
      skipLibCheck: false,
      types: ['node'],
      typeRoots: [path.join(root, 'node_modules/@types')],
      rootDir: 'examples',
      outDir: 'out',
    },
    include: ['examples'],
  });
  const tsc = path.join(root, 'node_modules/typescript/bin/tsc');
  const { exitCode, output } = await execute(process.execPath, [tsc, '-p', project], {
    cwd: project,
  });
  return exitCode === 0 || fail(`the README examples do not compile\n${output}`);
}

/** One program that imports every entry point there is. */
function writeImports() {
  const entries = packed.flatMap(({ manifest }) =>
    Object.keys(manifest.exports ?? {})
      .filter((key) => key !== './package.json')
      .map((key) => path.posix.join(manifest.name, key)),
  );
  const checks = entries.map(
    (entry) =>
      `if (Object.keys(await import('${entry}')).length === 0) console.warn('${entry} exports nothing');`,
  );
  write('out/import-all.js', `${checks.join('\n')}\n`);
  return { title: 'importing every entry point', args: ['out/import-all.js'] };
}

function commands() {
  return packed.flatMap(({ manifest }) =>
    Object.entries(manifest.bin ?? {}).map(([command, file]) => ({
      title: `${command} --help`,
      args: [path.join('node_modules', manifest.name, file), '--help'],
    })),
  );
}

async function runOnEachNode(programs) {
  const versions = await nodeVersions();
  await Promise.all(versions.map((version) => runAll(programs, version)));
  const nodes = versions.map(({ major }) => major).join(', ');
  console.log(`${programs.length} programs on Node ${nodes}`);
}

async function runAll(programs, { major, node }) {
  for (const { title, args } of programs) {
    const cwd = mkdtempSync(path.join(tmpdir(), 'ctx-readme-'));
    const absolute = [path.join(project, args[0]), ...args.slice(1)];
    const { exitCode, output } = await execute(node, absolute, { cwd, timeout: limitMs });
    rmSync(cwd, { recursive: true, force: true });
    if (exitCode !== 0) fail(`${title} failed on Node ${major}\n${output}`);
  }
}

function write(file, content) {
  const full = path.join(project, file);
  mkdirSync(path.dirname(full), { recursive: true });
  writeFileSync(full, typeof content === 'string' ? content : JSON.stringify(content));
}

function fail(line) {
  console.log(line);
  process.exitCode = 1;
  return false;
}
