import { userFolders } from '@ctx/agent-adapter/store';
import { pipes } from '@ctx/claude-code';
import type { CliHost } from '../cli-host.ts';
import { processHost } from '../process-host.ts';

type PipeInput = Awaited<ReturnType<typeof pipes.read>>;

/** What a call brings that is not this process's own. */
interface CallHost extends Partial<Pick<CliHost, 'env' | 'cwd'>> {
  /** What stood on standard input, where it was read before. */
  readonly input?: PipeInput | undefined;
  readonly write?: (text: string) => Promise<void>;
}

/** The host of a call without a person at either end. */
export function hostOf({
  env = process.env,
  cwd = process.cwd(),
  input,
  write,
}: CallHost): CliHost {
  const channel = (file: 1 | 2) => ({
    ...{ isTty: false, columns: 80, isClosed: () => false },
    write: write ?? ((text: string) => pipes.write(file, text)),
  });
  return {
    ...{ env, cwd, folders: userFolders, signal: new AbortController().signal },
    ...{
      out: channel(1),
      err: channel(2),
      endAtOnce: () => undefined,
      confirm: () => Promise.resolve(undefined),
    },
    readInput: async (maxBytes) => {
      const read = input ?? (await pipes.read(maxBytes));
      return read === 'too large' || Buffer.byteLength(read.text) > maxBytes ? 'too large' : read;
    },
  };
}

/** The host of a process that an agent started. Where a person sits at one end it is {@link processHost}. */
export function pipeHost(input?: PipeInput): CliHost {
  if (input !== undefined || !pipes.hasPerson()) return hostOf({ input });
  return processHost(new AbortController().signal, () => undefined);
}
