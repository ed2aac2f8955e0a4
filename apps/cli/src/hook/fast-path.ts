import { readHookFlags } from './hook-flags.ts';
import { pipeHost } from './pipe-host.ts';
import { printStatusline } from './print-statusline.ts';
import { runHook } from './run-hook.ts';

/**
 * Does what an agent waits for at each step, without the parts that read command lines: `hook claude-code …` and `statusline`. The build
 * puts this program and all that it loads into a few files of their own, `bundle/`, which load in a fraction of the time.
 * Never throws, gives 0; the process may end at once afterwards.
 */
export async function run([name, ...args]: readonly string[]): Promise<number> {
  // What Node has to say of experimental parts is no word of the hook.
  process.removeAllListeners('warning');
  const host = pipeHost();
  const leaveOpen = true;
  if (name === 'hook') {
    await runHook(host, () => readHookFlags(args.slice(1)), { leaveOpen });
  } else {
    const [, store] = args; // Behind `--store`, the only flag that comes here.
    await printStatusline(host, store === undefined ? { leaveOpen } : { leaveOpen, store });
  }
  return 0;
}
