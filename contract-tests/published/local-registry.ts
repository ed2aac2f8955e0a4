import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const home = fileURLToPath(
  new URL('node_modules/.cache/ctx-registry/', new URL('../../', import.meta.url)),
);

/** The newest that runs on Node 20. One of its parts asks for `node-fetch` by a tag that not every registry has. */
const manifest = {
  name: 'registry',
  private: true,
  dependencies: { verdaccio: '6.2.9' },
  overrides: { 'node-fetch': '2.6.7' },
};

function install(): string {
  const program = join(home, 'node_modules/verdaccio/bin/verdaccio');
  if (existsSync(program)) return program;
  mkdirSync(home, { recursive: true });
  writeFileSync(join(home, 'package.json'), JSON.stringify(manifest));
  execFileSync('npm', ['install', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: home,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  return program;
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.on('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => {
        if (address === null || typeof address === 'string') reject(new Error('no port is free'));
        else resolve(address.port);
      });
    });
  });
}

/** A registry on loopback that has nothing but what is published to it. */
export interface LocalRegistry {
  readonly url: string;
  /** The lines of an `.npmrc` that send `@ctx` there, and everything else where it goes as usual. */
  readonly npmrc: string;
  stop(): void;
}

async function untilAnswers(url: string): Promise<void> {
  for (let attempt = 0; attempt < 300; attempt += 1) {
    const isUp = await fetch(`${url}-/ping`).then(
      ({ ok }) => ok,
      () => false,
    );
    if (isUp) return;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  throw new Error(`${url} did not answer within a minute`);
}

/** Starts Verdaccio, and installs it first if it is not there. */
export async function startRegistry(): Promise<LocalRegistry> {
  const program = install();
  const folder = mkdtempSync(join(tmpdir(), 'ctx-registry-'));
  const port = await freePort();
  const rules = '{ access: $all, publish: $anonymous, unpublish: $anonymous }';
  const lines = [
    `storage: ${JSON.stringify(join(folder, 'storage'))}`,
    'max_body_size: 100mb',
    `packages: { '@ctx/*': ${rules} }`,
    'log: { type: stdout, format: pretty, level: error }',
  ];
  writeFileSync(join(folder, 'config.yaml'), `${lines.join('\n')}\n`);
  const args = [program, '--config', join(folder, 'config.yaml'), '--listen', `127.0.0.1:${port}`];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'inherit'] });
  const url = `http://127.0.0.1:${port}/`;
  await untilAnswers(url);
  return {
    url,
    npmrc: `@ctx:registry=${url}\n//127.0.0.1:${port}/:_authToken=nobody\n`,
    stop: () => {
      child.kill();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
