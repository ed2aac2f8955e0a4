import type { Command } from 'commander';
import type { CommandContext } from '../../command-context.ts';
import { makeCommand, oneOf } from '../../make-command.ts';
import { allManuals, type CommandManual } from '../../manual/command-manual.ts';
import { completionAnswerSchema } from '../../schemas/server.ts';

const shells = ['bash', 'zsh', 'fish'] as const;
type Shell = (typeof shells)[number];

async function scriptFor(shell: Shell, manuals: readonly CommandManual[]): Promise<string> {
  if (shell === 'bash')
    return (await import('../../manual/complete-bash.ts')).completeBash(manuals);
  if (shell === 'zsh') return (await import('../../manual/complete-zsh.ts')).completeZsh(manuals);
  return (await import('../../manual/complete-fish.ts')).completeFish(manuals);
}

export function command(context: CommandContext): Command {
  return makeCommand({
    name: 'completion',
    summary: 'Print a script that lets a shell complete commands, flags and their values.',
    examples: [
      'source <(ctx completion bash)',
      'source <(ctx completion zsh)',
      'ctx completion fish > ~/.config/fish/completions/ctx.fish',
    ],
  })
    .argument('<shell>', shells.join(', '), oneOf(shells))
    .action(async (shell: Shell, flags: { readonly json?: boolean }) => {
      const script = await scriptFor(shell, await allManuals(context));
      if (flags.json === true) await context.json(completionAnswerSchema, { shell, script });
      else await context.print(script);
    });
}
