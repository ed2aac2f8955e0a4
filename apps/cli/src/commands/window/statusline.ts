import { statuslineSchema } from '@ctx/claude-code';
import type { Command } from 'commander';
import type { CommandContext, StoreFlags } from '../../command-context.ts';
import { printStatusline, statuslineAnswer } from '../../hook/run-statusline.ts';
import { makeCommand, withStoreFlag } from '../../make-command.ts';

async function runStatusline(context: CommandContext, flags: StoreFlags): Promise<void> {
  const { host } = context;
  if (flags.json !== true) return printStatusline(host, flags);
  await context.json(statuslineSchema, await statuslineAnswer(host, flags));
}

export function command(context: CommandContext): Command {
  const command = makeCommand({
    name: 'statusline',
    summary:
      'Print one line about the context of a session: how full the window is, what is kept and saved. Reads what Claude Code passes to a status line on standard input; without input, shows the newest session of the store.',
    examples: ['ctx statusline < /dev/null', 'ctx init claude-code'],
  });
  return withStoreFlag(command).action((flags: StoreFlags) => runStatusline(context, flags));
}
