import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, beforeEach, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';

const scripts = path.dirname(fileURLToPath(import.meta.url));
const home = mkdtempSync(path.join(tmpdir(), 'ctx run test '));
after(() => rmSync(home, { recursive: true, force: true }));

/** A checkout in a path with spaces whose pnpm, esbuild, turbo, vitest and ctx are fakes that write down that they ran. */
let checkout;
let count = 0;

const fake = (name, body = '') => `
const fs = require('node:fs');
fs.appendFileSync(process.env.FAKE_LOG, '${name} start ' + process.argv.slice(2).join(' ') + '\\n');
${body}
`;
const pause =
  "Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 120); fs.appendFileSync(process.env.FAKE_LOG, 'end\\n');";
const esbuild = `
const fs = require('node:fs');
exports.stop = async () => undefined;
exports.build = async ({ outdir }) => {
  fs.appendFileSync(process.env.FAKE_LOG, 'esbuild start\\n');
  ${pause}
  return { outputFiles: [{ path: outdir + '/bin.js', text: fs.readFileSync(require('node:path').dirname(process.env.FAKE_LOG) + '/ctx.fake', 'utf8') }] };
};
`;

function put(file, text) {
  const full = path.join(checkout, file);
  mkdirSync(path.dirname(full), { recursive: true });
  writeFileSync(full, text);
}

beforeEach(() => {
  count += 1;
  checkout = path.join(home, `a path with spaces ${count}`);
  cpSync(scripts, path.join(checkout, 'scripts'), { recursive: true });
  const manifest = { type: 'module', engines: { node: '>=20.19' }, packageManager: 'pnpm@10.0.0' };
  put('package.json', JSON.stringify(manifest));
  put('pnpm-lock.yaml', 'lockfileVersion: 9\n');
  put('tsconfig.base.json', '{}');
  put('apps/cli/package.json', '{"name":"@ctx/cli","type":"commonjs"}');
  put('apps/cli/bundle.mjs', 'export async function bundle() {}');
  put('apps/cli/src/bin.ts', '');
  put('ctx.fake', fake('ctx', "console.log('the job ran');"));
  put('node_modules/package.json', '{"type":"commonjs"}');
  put('node_modules/pnpm/package.json', JSON.stringify({ version: '10.0.0' }));
  put('node_modules/pnpm/bin/pnpm.cjs', fake('pnpm', pause));
  put('node_modules/esbuild/index.js', esbuild);
  put('node_modules/turbo/bin/turbo', fake('turbo'));
  put(
    'node_modules/vitest/vitest.mjs',
    "import fs from 'node:fs'; fs.appendFileSync(process.env.FAKE_LOG, 'vitest start\\n');",
  );
});

function begin(args, options = {}) {
  const env = { ...process.env };
  delete env.NODE_TEST_CONTEXT;
  delete env.npm_execpath;
  return spawn(process.execPath, [path.join(checkout, 'scripts/run.cjs'), ...args], {
    cwd: tmpdir(),
    stdio: ['ignore', 'pipe', 'pipe'],
    ...options,
    env: { ...env, FAKE_LOG: path.join(checkout, 'log'), ...options.env },
  });
}

async function finish(child) {
  const said = { out: '', err: '' };
  child.stdout.on('data', (chunk) => (said.out += chunk));
  child.stderr.on('data', (chunk) => (said.err += chunk));
  const [code] = await once(child, 'close');
  return { code, ...said };
}

const run = (...args) => finish(begin(args));
const log = () => readFileSync(path.join(checkout, 'log'), 'utf8').trim().split('\n');
const lockFile = () => path.join(checkout, 'node_modules/.cache/ctx/setup.lock');
const putLock = (owner) => put('node_modules/.cache/ctx/setup.lock', JSON.stringify(owner));

async function until(isTrue) {
  while (!isTrue()) await new Promise((resolve) => setTimeout(resolve, 5));
}

/** A process id that was alive and is not. */
async function deadPid() {
  const child = spawn(process.execPath, ['-e', '']);
  await once(child, 'close');
  return child.pid;
}

describe('npm --prefix', () => {
  it('is not handed on: npm would take the checkout for the folder of whatever it starts', async () => {
    const told =
      'console.log([process.env.npm_config_prefix, process.env.npm_config_globalconfig].join());';
    put('ctx.fake', fake('ctx', told));
    const env = { npm_config_prefix: '/ctx', npm_config_globalconfig: '/ctx/etc/npmrc' };
    const { code, out } = await finish(begin(['ctx', 'sessions'], { env }));
    assert.deepEqual([code, out.trim()], [0, ',']);
  });
});

describe('npm start', () => {
  it('installs, builds and runs the demo, from a path with spaces, stdout only for the job', async () => {
    const { code, out, err } = await run('start', '--steps', '3');
    assert.equal(code, 0, err);
    assert.equal(out, 'the job ran\n');
    assert.match(err, /installing.*\n.*installed[^]*building.*\n.*built/);
    const names = log().map((line) => line.split(' ')[0]);
    assert.deepEqual(names, ['pnpm', 'end', 'esbuild', 'end', 'ctx']);
    assert.equal(log().at(-1), 'ctx start up --demo --steps 3');
  });

  it('does only the job the second time and writes nothing', async () => {
    await run('start');
    rmSync(path.join(checkout, 'log'));
    const { code, err } = await run('start');
    assert.equal(code, 0);
    assert.equal(err, '');
    assert.deepEqual(log(), ['ctx start up --demo']);
    assert.equal(existsSync(lockFile()), false);
  });

  it('takes the page that the build makes for no source of it', async () => {
    put(
      'apps/cli/package.json',
      '{"name":"@ctx/cli","type":"commonjs","dependencies":{"@ctx/server":"*"}}',
    );
    put('apps/server/package.json', '{"name":"@ctx/server"}');
    put('apps/server/dist/index.js', '');
    const page = "fs.mkdirSync('../server/page', { recursive: true });";
    const write = `${page} fs.writeFileSync('../server/page/index.html', String(process.pid));`;
    put('apps/dashboard/node_modules/package.json', '{"type":"commonjs"}');
    put('apps/dashboard/node_modules/vite/bin/vite.js', fake('vite', write));
    await run('start');
    assert.equal(log().includes('ctx start up --demo'), true);
    rmSync(path.join(checkout, 'log'));
    const { err } = await run('start');
    assert.equal(err, '');
    assert.deepEqual(log(), ['ctx start up --demo']);
  });

  it('builds again, without an install, when a source changed', async () => {
    await run('start');
    rmSync(path.join(checkout, 'log'));
    put('apps/cli/src/bin.ts', 'export {};');
    await run('start');
    assert.deepEqual(
      log().map((line) => line.split(' ')[0]),
      ['esbuild', 'end', 'ctx'],
    );
  });

  it('installs again when the lockfile changed', async () => {
    await run('start');
    rmSync(path.join(checkout, 'log'));
    put('pnpm-lock.yaml', 'lockfileVersion: 9.1\n');
    await run('start');
    assert.equal(log()[0].startsWith('pnpm start install --frozen-lockfile'), true);
  });

  it('installs what the command needs alone, and for the tests the rest', async () => {
    rmSync(path.join(checkout, 'node_modules/vitest'), { recursive: true });
    await run('start');
    assert.match(log()[0], /^pnpm start install .*--prod --filter=ctx --filter=@ctx\/cli\.\.\./);
    rmSync(path.join(checkout, 'log'));
    await run('setup');
    assert.match(log()[0], /^pnpm start install /);
    assert.doesNotMatch(log()[0], /--prod|--filter/);
    rmSync(path.join(checkout, 'log'));
    assert.equal((await run('start')).err, '');
  });

  it('takes away nothing where everything is installed', async () => {
    await run('start');
    assert.doesNotMatch(log()[0], /--prod|--filter/);
  });

  it('passes on the exit code of the job', async () => {
    put('ctx.fake', 'process.exit(7)');
    assert.equal((await run('start')).code, 7);
  });

  it('stops with one line when the install fails, and succeeds when asked again', async () => {
    put('node_modules/pnpm/bin/pnpm.cjs', 'process.exit(3)');
    const { code, err } = await run('start');
    assert.equal(code, 1);
    assert.match(err, /ctx: pnpm install ended with 3/);
    put('node_modules/pnpm/bin/pnpm.cjs', fake('pnpm', pause));
    assert.equal((await run('start')).code, 0);
  });

  it('runs as someone who may not write, once it is built', {
    skip: process.getuid?.() === 0 && 'root may write anywhere',
  }, async () => {
    await run('start');
    chmodSync(path.join(checkout, 'node_modules/.cache/ctx'), 0o555);
    assert.equal((await run('start')).code, 0);
  });
});

describe('two at once', () => {
  it('install and build once, and both do their job', async () => {
    const both = await Promise.all([run('start'), run('start'), run('start')]);
    assert.deepEqual(
      both.map(({ code }) => code),
      [0, 0, 0],
    );
    const names = log().map((line) => line.split(' ')[0]);
    assert.deepEqual(names.slice(0, 4), ['pnpm', 'end', 'esbuild', 'end']);
    assert.deepEqual(names.slice(4), ['ctx', 'ctx', 'ctx']);
    assert.match(both.map(({ err }) => err).join(''), /is setting up already, waiting/);
    assert.equal(existsSync(lockFile()), false);
  });
});

describe('the lock', () => {
  it('of a dead process is taken over', async () => {
    const { hostname } = await import('node:os');
    putLock({ pid: await deadPid(), host: hostname(), id: 'a-dead-one' });
    const both = await Promise.all([run('start'), run('start')]);
    assert.deepEqual(
      both.map(({ code }) => code),
      [0, 0],
    );
    assert.equal(log().filter((line) => line.startsWith('pnpm')).length, 1);
  });

  it('of a process whose number belongs to another one now is taken over', {
    skip: !existsSync('/proc/self/stat') && 'needs /proc',
  }, async () => {
    const { hostname } = await import('node:os');
    putLock({ pid: process.pid, host: hostname(), bornAt: '1', id: 'reborn' });
    assert.equal((await run('start')).code, 0);
  });

  it('of which only half was written is taken over after a while', async () => {
    put('node_modules/.cache/ctx/setup.lock', '{"pid": 12');
    assert.equal((await run('start')).code, 0);
  });

  it('is released on Ctrl-C, and the next start finishes the work', async () => {
    const child = begin(['start']);
    await until(() => existsSync(path.join(checkout, 'log')) && log().includes('end'));
    child.kill('SIGINT');
    const { code } = await finish(child);
    assert.equal(code, 130);
    assert.equal(existsSync(lockFile()), false);
    assert.equal((await run('start')).code, 0);
    assert.equal(log().at(-1), 'ctx start up --demo');
  });

  it('is left to its owner when one who waits for it is stopped', async () => {
    const { hostname } = await import('node:os');
    putLock({ pid: process.pid, host: hostname(), id: 'alive' });
    const child = begin(['start']);
    let said = '';
    child.stderr.on('data', (chunk) => (said += chunk));
    await until(() => said.includes('waiting'));
    child.kill('SIGINT');
    assert.equal((await finish(child)).code, 130);
    assert.equal(existsSync(lockFile()), true);
  });

  it('left by a kill -9 in the middle of an install does not stop the next start', async () => {
    const child = begin(['start']);
    await until(() => existsSync(path.join(checkout, 'log')));
    child.kill('SIGKILL');
    await finish(child);
    assert.equal(existsSync(lockFile()), true);
    assert.equal((await run('start')).code, 0);
  });
});

describe('the node version', () => {
  it('is refused with one line when it is too old', async () => {
    put('old.cjs', "Object.defineProperty(process.versions, 'node', { value: '18.20.1' });");
    const env = { NODE_OPTIONS: `--require="${path.join(checkout, 'old.cjs')}"` };
    const { code, out, err } = await finish(begin(['start'], { env }));
    assert.equal(code, 1);
    assert.equal(out, '');
    assert.equal(
      err,
      'ctx needs Node.js 20.19 or newer, this is 18.20.1: install a newer one (https://nodejs.org) and run the command again.\n',
    );
  });
});

describe('npm test and npm run ctx', () => {
  it('run all tests as tasks of turbo', async () => {
    await run('test');
    assert.match(log().at(-1), /^turbo start run test /);
  });

  it('run vitest where arguments say which tests', async () => {
    assert.equal((await run('test', 'packages/core')).code, 0);
    assert.equal(log().at(-1), 'vitest start');
  });

  it('hand the arguments to the ctx command', async () => {
    await run('ctx', 'sessions', '--json');
    assert.equal(log().at(-1), 'ctx start sessions --json');
  });

  it('an unknown job is named', async () => {
    const { code, err } = await run('strat');
    assert.equal(code, 2);
    assert.match(err, /unknown job strat; there are start, ctx, test, bench/);
  });
});

describe('npm run bench', () => {
  beforeEach(() => {
    for (const name of ['stores', 'tokens']) {
      put(`bench/measure-${name}.ts`, '');
      put(`bench/dist/measure-${name}.js`, fake(name));
    }
    put('bench/package.json', '{"type":"commonjs"}');
    put('bench/timing.ts', '');
  });

  it('builds, then runs the named measurement with its arguments', async () => {
    const { code, err } = await run('bench', 'stores', '--json');
    assert.equal(code, 0, err);
    assert.deepEqual(
      log().map((line) => line.split(' ')[0]),
      ['pnpm', 'end', 'esbuild', 'end', 'esbuild', 'end', 'stores'],
    );
    assert.equal(log().at(-1), 'stores start --json');
  });

  for (const [what, args, complaint] of [
    ['without a name', [], 'name a measurement'],
    ['with a name that is none', ['timing'], 'no measurement timing'],
    ['with a path for a name', ['../dist/measure-stores'], 'no measurement ../dist/measure-stores'],
  ]) {
    it(`${what} lists the names and sets nothing up`, async () => {
      const { code, out, err } = await run('bench', ...args);
      assert.equal(code, 2);
      assert.equal(out, '');
      assert.equal(err, `ctx: ${complaint}; there are stores, tokens\n`);
      assert.equal(existsSync(path.join(checkout, 'log')), false);
    });
  }
});
