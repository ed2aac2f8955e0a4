import { join } from 'node:path';
import { parseStoreUrl } from '@ctx/agent-adapter/store';
import { planHookSettings, readSettings } from '@ctx/claude-code';
import { CtxError } from '@ctx/core';
import type { Command } from 'commander';
import type { CommandContext, StoreFlags } from '../../command-context.ts';
import { ownCommand } from '../../hook/find-program.ts';
import { makeCommand } from '../../make-command.ts';
import { type InitAnswer, initAnswerSchema } from '../../schemas/server.ts';

interface InitFlags extends StoreFlags {
  readonly user?: boolean;
  readonly remove?: boolean;
  readonly dryRun?: boolean;
  readonly yes?: boolean;
  readonly statusline: boolean;
}

async function settingsPath({ host }: CommandContext, { user }: InitFlags): Promise<string> {
  const root = user === true ? (await host.folders()).home : host.cwd;
  return join(root, '.claude', 'settings.json');
}

/** The flags that every hook is called with. */
async function hookArguments({ host }: CommandContext, { store }: InitFlags): Promise<string[]> {
  if (store === undefined) return [];
  const { home } = await host.folders();
  const url = parseStoreUrl(store, { cwd: host.cwd, home });
  if (url.scheme === 'postgres' && new URL(url.connection).password !== '') {
    const message =
      'the password would stand in the settings; give the URL by CTX_STORE or your own config';
    throw new CtxError('CTX_NOT_ALLOWED', message);
  }
  return ['--store', url.scheme === 'postgres' ? url.connection : url.text];
}

/** Whether the change may be written: asked on a terminal, said by `--yes` without one. */
async function isWanted(context: CommandContext, flags: InitFlags, path: string): Promise<boolean> {
  if (flags.dryRun === true) return false;
  if (flags.yes === true) return true;
  const answer = await context.host.confirm(`Write this to ${path}?`);
  if (answer === undefined) {
    throw new CtxError(
      'CTX_NOT_ALLOWED',
      `ctx cannot ask without a terminal; --yes writes to ${path}, --dry-run only shows the change`,
    );
  }
  return answer;
}

async function runInit(context: CommandContext, agent: string, flags: InitFlags): Promise<void> {
  if (agent !== 'claude-code') {
    throw new CtxError('CTX_USAGE', 'hooks can be installed for claude-code only');
  }
  const file = await readSettings(await settingsPath(context, flags));
  const command = ownCommand(context.host);
  const plan = planHookSettings(file.settings, command, {
    action: flags.remove === true ? 'remove' : 'install',
    statusline: flags.statusline,
    flags: await hookArguments(context, flags),
  });
  const { changes, settings } = plan;
  const show = async (text: string): Promise<void> => {
    if (flags.json !== true) await context.print(text);
  };
  const { path } = file;
  if (changes.length > 0) await show(`${path}\n${changes.map((line) => `  ${line}\n`).join('')}`);
  if (changes.length > 0 && flags.dryRun === true) await show(file.textOf(settings));
  const written = changes.length > 0 && (await isWanted(context, flags, path));
  if (written) await file.write(settings);
  const answer: InitAnswer = { path, changes, written };
  if (flags.json === true) return context.json(initAnswerSchema, answer);
  if (lacksLine(settings, flags)) await context.say(lineLeftOut);
  await context.say(outcomeOf(answer, flags));
}

const lineLeftOut =
  'the status line is left out: a path in its command has a space or another sign that a shell reads';

/** Whether the status line was asked for and could not be written. */
function lacksLine(settings: object, { statusline, remove }: InitFlags): boolean {
  return statusline && remove !== true && !('statusLine' in settings);
}

function outcomeOf({ path, changes, written }: InitAnswer, { remove }: InitFlags): string {
  if (changes.length === 0) return `${path} is as it should be; nothing was changed`;
  if (!written) return 'nothing was written';
  if (remove === true) return 'written; what the hooks stored stays in the store';
  return 'written; it holds for sessions that begin from now on. Take it back with --remove';
}

export function command(context: CommandContext): Command {
  return makeCommand({
    name: 'init',
    summary:
      'Install the hooks of ctx in the settings of an agent. Existing settings stay, the change is shown first, and --remove undoes it.',
    examples: [
      'ctx init claude-code --dry-run',
      'ctx init claude-code',
      'ctx init claude-code --user --yes',
      'ctx init claude-code --remove',
    ],
  })
    .argument('<agent>', 'claude-code')
    .option('--user', 'settings of this user (~/.claude), not of the project')
    .option('--remove', 'remove the hooks')
    .option('--dry-run', 'show the change and the settings without writing them')
    .option('--yes', 'write without asking')
    .option('--no-statusline', 'leave the status line alone')
    .option('--store <url>', 'the store of the hooks (default: as `ctx` in the project)')
    .action((agent: string, flags: InitFlags) => runInit(context, agent, flags));
}
