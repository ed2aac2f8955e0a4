import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The clients, as they were when the tests were written. */
const versions = {
  '@anthropic-ai/claude-code': '2.1.197',
  '@google/gemini-cli': '0.61.0',
  '@openai/codex': '0.169.0',
  'opencode-ai': '1.18.33',
} as const;

const home = fileURLToPath(
  new URL('node_modules/.cache/ctx-clients', new URL('../../', import.meta.url)),
);

/** Whether the campaigns run: they install what is missing. */
const isCampaign = process.env['CTX_TEST_CAMPAIGN'] !== undefined;

/**
 * Installs the clients in a folder beside, and puts that into its place as a whole: test files that start at once each install, and two
 * npm in one folder leave a client without some of its files.
 */
function install(program: string): void {
  const own = join(dirname(home), `ctx-clients-${String(process.pid)}`);
  mkdirSync(own, { recursive: true });
  const manifest = { name: 'clients', private: true, dependencies: versions };
  writeFileSync(join(own, 'package.json'), JSON.stringify(manifest));
  execFileSync('npm', ['install', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: own,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  if (!existsSync(join(programs(home), program))) {
    rmSync(home, { recursive: true, force: true });
    renameSync(own, home);
  }
  rmSync(own, { recursive: true, force: true });
}

const programs = (folder: string): string => join(folder, 'node_modules', '.bin');

/** The folder with a client's program: where `CTX_TEST_CLIENTS` says, else one that campaigns fill. `undefined` if it is not installed. */
export function clientsFolder(program: string): string | undefined {
  const named = process.env['CTX_TEST_CLIENTS'];
  const folder = programs(named ?? home);
  if (existsSync(join(folder, program))) return folder;
  if (named === undefined && isCampaign) {
    install(program);
    return folder;
  }
  process.stderr.write(
    `SKIPPED: ${program} is not installed; CTX_TEST_CAMPAIGN=1 installs it, or CTX_TEST_CLIENTS names a folder that has it\n`,
  );
  return undefined;
}
