import { runCli } from './cli.ts';
import { processHost } from './process-host.ts';

/**
 * Aborts with the first Ctrl-C or SIGTERM; ends at once with the second: whoever asks twice does not want to wait for a clean place. Until
 * this is called the first ends the process, as it should where nobody looks for it.
 */
function interruption(): AbortSignal {
  const controller = new AbortController();
  const interrupt = (exitCode: number): void => {
    if (controller.signal.aborted) process.exit(exitCode);
    controller.abort();
  };
  process.on('SIGINT', () => {
    interrupt(130);
  });
  process.on('SIGTERM', () => {
    interrupt(143);
  });
  return controller.signal;
}

/** Runs a command line in this process and gives its exit code. Contract: everything is written by then. */
export async function run(argv: readonly string[], version: string): Promise<number> {
  const failures: Error[] = [];
  const host = processHost(interruption, (error) => {
    failures.push(error);
  });
  const exitCode = await runCli(argv, host, version);
  await Promise.all([host.out.write(''), host.err.write('')]);
  const [failure] = failures;
  if (failure === undefined) return exitCode;
  await host.err.write(`ctx: standard output cannot be written: ${failure.message}\n`);
  return exitCode === 0 ? 1 : exitCode;
}
