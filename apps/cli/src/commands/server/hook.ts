import { CtxError } from '@ctx/core';
import type { Command } from 'commander';
import type { CommandContext } from '../../command-context.ts';
import { readHookFlags } from '../../hook/hook-flags.ts';
import { runHook } from '../../hook/run-hook.ts';
import { makeCommand } from '../../make-command.ts';

export function command(context: CommandContext): Command {
  return makeCommand({
    name: 'hook',
    summary:
      'Answer one hook of an agent: JSON on standard input, JSON on standard output. It always exits with 0; failures are logged in hook.log beside the store.',
    examples: ['ctx hook claude-code < event.json', 'ctx init claude-code'],
  })
    .argument('<agent>', 'claude-code')
    .argument(
      '[flags...]',
      '--store <url>, --redact on|report|off, --offload-from <tokens>, --host-version <version>',
    )
    .passThroughOptions()
    .allowUnknownOption()
    .action(async (agent: string, flags: string[]) => {
      if (agent !== 'claude-code') {
        throw new CtxError('CTX_USAGE', 'there are hooks for claude-code only');
      }
      await runHook(context.host, () => readHookFlags(flags));
    });
}
