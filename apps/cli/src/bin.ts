#!/usr/bin/env node
import { readFileSync } from 'node:fs';
import { isQuick, loadQuick } from './hook/load-quick.ts';

// Nothing else is loaded on this path: a version should not take longer than node itself.
const [first, ...others] = process.argv.slice(2);
if ((first === '--version' || first === '-V') && others.length === 0) {
  process.stdout.write(`${versionOfPackage()}\n`);
} else if (isQuick(process.argv.slice(2))) {
  // What Node has to say of experimental parts is no word of the hook.
  process.removeAllListeners('warning');
  const runQuick = await loadQuick();
  await runQuick(process.argv.slice(2));
  process.exit(0);
} else {
  const { runCli } = await import('./cli.ts');
  const { processHost } = await import('./process-host.ts');
  const interruption = new AbortController();
  const interrupt = (exitCode: number): void => {
    // Whoever asks twice does not want to wait for a clean place.
    if (interruption.signal.aborted) process.exit(exitCode);
    interruption.abort();
  };
  process.on('SIGINT', () => {
    interrupt(130);
  });
  process.on('SIGTERM', () => {
    interrupt(143);
  });
  const failures: Error[] = [];
  const host = processHost(interruption.signal, (error) => {
    failures.push(error);
  });
  const exitCode = await runCli(process.argv.slice(2), host, versionOfPackage());
  await Promise.all([host.out.write(''), host.err.write('')]);
  const [failure] = failures;
  if (failure !== undefined) {
    await host.err.write(`ctx: standard output cannot be written: ${failure.message}\n`);
  }
  process.exit(failure === undefined || exitCode !== 0 ? exitCode : 1);
}

function versionOfPackage(): string {
  const manifest: unknown = JSON.parse(
    readFileSync(new URL('../package.json', import.meta.url), 'utf8'),
  );
  const hasVersion = typeof manifest === 'object' && manifest !== null && 'version' in manifest;
  return hasVersion ? String(manifest.version) : 'unknown';
}
