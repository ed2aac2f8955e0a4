import { Command, CommanderError, Help, type Option } from 'commander';
import type { CliHost } from './cli-host.ts';
import { type CommandContext, commandContext } from './command-context.ts';
import { commandsBelow, groupTitles, inGroups, listedName, nameCommand } from './command-names.ts';
import { commandTable } from './command-table.ts';
import { followUp } from './follow-up.ts';
import { shortExitCodes } from './manual/exit-codes.ts';
import { visibleText } from './terminal/visible-text.ts';

/** Width of the help where there is no terminal. */
const helpWidth = 100;

function hasColor(argv: readonly string[], { env, out }: CliHost): boolean {
  const noColor = env['NO_COLOR'];
  const isRefused = noColor !== undefined && noColor !== '';
  return out.isTty && !isRefused && env['TERM'] !== 'dumb' && !argv.includes('--no-color');
}

/** Help of an unknown command is a misspelt command: it gets the same suggestion. */
function asAsked(argv: readonly string[], name: string | undefined): readonly string[] {
  const isKnown = commandTable.some((entry) => listedName(entry) === name) || name === 'help';
  const isHelp = argv.find((word) => !word.startsWith('-')) === 'help';
  return name !== undefined && isHelp && !isKnown ? [name] : argv;
}

/** Help whose examples are called in the way that this command was called. */
function asCalled(host: CliHost, help: string): string {
  return help.replaceAll('  $ ctx ', `  $ ${followUp(host, [])}`);
}

/** Where to read on after a mistake in the call, as a command to copy. */
function helpHint(host: CliHost, name: string | undefined): string {
  const isKnown = commandTable.some((entry) => listedName(entry) === name);
  const first = name === 'run' ? '(arguments of the agent go after --)\n' : '';
  return `${first}(see ${followUp(host, [...(isKnown ? (name ?? '').split(' ') : []), '--help'])})`;
}

/** Commands such as `items save` are suggested like any other, but the list names only `items`. */
const nested = 'nested';

function withoutNested<T extends Command | Option>(
  all: T[],
  shown: T[],
  groupOf: (item: T) => string,
): Map<string, T[]> {
  const groups = Help.prototype.groupItems(all, shown, groupOf);
  groups.delete(nested);
  return groups;
}

function makeProgram(host: CliHost, version: string, hint: string | false): Command {
  const program = new Command('ctx');
  const width = host.out.isTty ? Math.max(60, host.out.columns) : helpWidth;
  return program
    .description('Stores what agents saw, reads it back, and shows what their context costs.')
    .version(version)
    .addHelpText(
      'before',
      'Examples:\n  $ ctx replay --demo\n  $ ctx import ~/.claude/projects\n  $ ctx search "connection refused"\n',
    )
    .addHelpText('after', `\nExit codes: ${shortExitCodes}\n`)
    .option('--no-color', 'no colours; NO_COLOR does the same')
    .exitOverride()
    .enablePositionalOptions()
    .showSuggestionAfterError(true)
    .showHelpAfterError(hint)
    .commandsGroup(`${groupTitles.shell}:`)
    .helpCommand('help [command]', 'display help for a command')
    .configureHelp({
      showGlobalOptions: false,
      groupItems: withoutNested,
    })
    .configureOutput({
      writeOut: (text) => void host.out.write(asCalled(host, text)),
      writeErr: (text) => void host.err.write(host.err.isTty ? visibleText(text) : text),
      // With --json the failure is reported as one line of JSON instead.
      ...(hint === false ? { outputError: () => undefined } : {}),
      getOutHelpWidth: () => width,
      getErrHelpWidth: () => width,
    });
}

/** The commands below one, for the end of its help. */
function belowText(name: string): string {
  const below = commandsBelow(commandTable, name);
  if (below.length === 0) return '';
  const width = Math.max(...below.map((entry) => listedName(entry).length));
  const lines = below.map((entry) => `  ${listedName(entry).padEnd(width)}  ${entry.summary}`);
  return `\nCommands:\n${lines.join('\n')}\n`;
}

async function addCommands(
  program: Command,
  named: string | undefined,
  context: CommandContext,
): Promise<void> {
  for (const entry of inGroups(commandTable)) {
    const name = listedName(entry);
    const group = entry.as === undefined ? `${groupTitles[entry.group]}:` : nested;
    if (name !== named) {
      const listed = new Command(name).description(entry.summary).helpGroup(group);
      program.addCommand(entry.as === undefined ? listed : listed.alias(entry.name));
    } else {
      const command = (await entry.load()).command(context).copyInheritedSettings(program);
      program.addCommand(command.name(name).helpGroup(group));
      command.addHelpText('after', belowText(name));
    }
  }
}

/** A mistake in the call, as an error of ctx; other errors as they are. */
async function asUsageError(error: unknown): Promise<unknown> {
  if (!(error instanceof CommanderError)) return error;
  const { CtxError } = await import('@ctx/core');
  return new CtxError('CTX_USAGE', error.message.replace(/^error: /, ''));
}

async function reportFailure(
  error: unknown,
  argv: readonly string[],
  host: CliHost,
): Promise<number> {
  // commander has written its message already; what it calls 1 is a mistake in the call.
  if (error instanceof CommanderError && (error.exitCode === 0 || !argv.includes('--json'))) {
    return error.exitCode === 0 ? 0 : 2;
  }
  const { failureJson, failureOf, failureText } = await import('./cli-errors.ts');
  const failure = failureOf(await asUsageError(error));
  if (argv.includes('--json')) await host.err.write(failureJson(failure));
  else {
    const text = failureText(failure);
    await host.err.write(host.err.isTty ? visibleText(text) : text);
  }
  if (host.env['CTX_DEBUG'] !== undefined && error instanceof Error) {
    await host.err.write(`${error.stack ?? ''}\n`);
  }
  return failure.exitCode;
}

/**
 * Runs one command line and gives its exit code: 0 ok, 1 failure, 2 usage, 3 not found, 4 conflict, 5 not allowed, 130
 * stopped. Never exits and never throws; data goes to `host.out`, messages to `host.err`.
 */
export async function runCli(
  argv: readonly string[],
  host: CliHost,
  version: string,
): Promise<number> {
  let exitCode = 0;
  const context = commandContext({
    host: argv.includes('--no-input') ? { ...host, confirm: async () => undefined } : host,
    commands: commandTable,
    hasColor: hasColor(argv, host),
    finish: (code) => {
      exitCode = code;
    },
  });
  try {
    const { argv: named, name } = nameCommand(argv, commandTable);
    const hint = argv.includes('--json') ? false : helpHint(host, name);
    const program = makeProgram(host, version, hint);
    if (argv.length === 0) {
      await addCommands(program, undefined, context);
      program.outputHelp();
      return 0;
    }
    await addCommands(program, name, context);
    await program.parseAsync([...asAsked(named, name)], { from: 'user' });
    return exitCode;
  } catch (error) {
    return await reportFailure(error, argv, host);
  }
}
