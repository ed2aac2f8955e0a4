import { runCli } from './cli.ts';
import { processHost } from './process-host.ts';

/** What Ctrl-C does. */
interface Interruption {
  readonly signal: AbortSignal;
  /** From here on the next one ends the process at once; so does this where one has come. */
  readonly endAtOnce: () => void;
}

/** Aborts with the first Ctrl-C or SIGTERM; ends at once with the second: whoever asks twice does not want to wait for a clean place. */
function interruption(): Interruption {
  const controller = new AbortController();
  const interrupt = (exitCode: number): void => {
    if (controller.signal.aborted) process.exit(exitCode);
    controller.abort();
  };
  const onInterrupt = (): void => {
    interrupt(130);
  };
  const onTerminate = (): void => {
    interrupt(143);
  };
  process.on('SIGINT', onInterrupt);
  process.on('SIGTERM', onTerminate);
  return {
    signal: controller.signal,
    endAtOnce: () => {
      if (controller.signal.aborted) process.exit(130);
      // What the system does with them needs no turn of the loop.
      process.off('SIGINT', onInterrupt);
      process.off('SIGTERM', onTerminate);
    },
  };
}

/** Runs a command line in this process and gives its exit code. Everything is written by then. */
export async function run(argv: readonly string[], version: string): Promise<number> {
  const failures: Error[] = [];
  const { signal, endAtOnce } = interruption();
  const noteFailure = (error: Error): void => {
    failures.push(error);
  };
  const host = processHost(signal, noteFailure, endAtOnce);
  const exitCode = await runCli(argv, host, version);
  await Promise.all([host.out.write(''), host.err.write('')]);
  const [failure] = failures;
  if (failure === undefined) return exitCode;
  await host.err.write(`ctx: standard output cannot be written: ${failure.message}\n`);
  return exitCode === 0 ? 1 : exitCode;
}
