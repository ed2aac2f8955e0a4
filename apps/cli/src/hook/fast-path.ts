import { residentAt } from '@ctx/claude-code';
import type { CliHost } from '../cli-host.ts';
import { readHookFlags } from './hook-flags.ts';
import { hostOf, pipeHost } from './pipe-host.ts';
import { type HookEnd, runHook } from './run-hook.ts';
import { printStatusline } from './run-statusline.ts';

/** Does what a command line asks. Gives the event of a hook. Never throws. */
async function answer(
  host: CliHost,
  [name, ...args]: readonly string[],
  end: HookEnd,
): Promise<string | undefined> {
  if (name === 'hook') return runHook(host, () => readHookFlags(args.slice(1)), end);
  const [, store] = args; // Behind `--store`, the only flag that comes here.
  await printStatusline(host, store === undefined ? end : { ...end, store });
  return undefined;
}

/**
 * Does what an agent waits for at each step, without the parts that read command lines: `hook claude-code …` and `statusline`. The build
 * puts this program and all that it loads into a few files of their own, `bundle/`, which load in a fraction of the time; started as
 * the process that stays, it answers for those that are started later, which then load nothing of it.
 * Never throws, gives 0; the process may end at once afterwards.
 * @param input What stood on standard input, where it was read before.
 */
export async function run(
  argv: readonly string[],
  _version: string,
  input?: Parameters<typeof pipeHost>[0],
): Promise<number> {
  // What Node has to say of experimental parts is no word of the hook.
  process.removeAllListeners('warning');
  const [, , flag, path] = argv;
  if (flag !== '--resident' || path === undefined) {
    await answer(pipeHost(input), argv, { leaveOpen: true });
    return 0;
  }
  await residentAt(path).serve(async ({ argv: asked, input: text, ...place }, write) => {
    const host = hostOf({ ...place, input: { text }, write });
    return (await answer(host, asked, {})) === 'SessionEnd';
  });
  return 0;
}
