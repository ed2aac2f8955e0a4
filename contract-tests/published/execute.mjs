import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';

/** Runs a program to its end. Never throws: answers its exit code and all it printed. */
export function execute(file, args, options = {}) {
  return new Promise((resolve) => {
    const child = spawn(file, args, { stdio: ['ignore', 'pipe', 'pipe'], ...options });
    const chunks = [];
    child.stdout.on('data', (chunk) => chunks.push(chunk));
    child.stderr.on('data', (chunk) => chunks.push(chunk));
    child.once('error', (error) => resolve({ exitCode: 1, output: String(error) }));
    child.once('close', (code) =>
      resolve({ exitCode: code ?? 1, output: Buffer.concat(chunks).toString('utf8') }),
    );
  });
}

/** {@link execute} with the npm that called us, as from a person's own shell: nothing of our run leaks in. */
export function npm(args, cwd) {
  const script = process.env.npm_execpath ?? '';
  const kept = Object.entries(process.env).filter(
    ([name]) =>
      !/^(npm_(package|lifecycle|node)_|npm_command$|npm_config_(local_prefix|prefix)$|INIT_CWD$)/.test(
        name,
      ),
  );
  const options = { cwd, env: Object.fromEntries(kept) };
  const isNpm = path.basename(script) === 'npm-cli.js' && existsSync(script);
  if (isNpm) return execute(process.execPath, [script, ...args], options);
  return execute('npm', args, { ...options, shell: process.platform === 'win32' });
}
