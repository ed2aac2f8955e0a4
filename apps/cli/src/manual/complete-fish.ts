import type { CommandManual, ManualOption } from './command-manual.ts';

function quoted(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", String.raw`\'`)}'`;
}

function optionLine(name: string, { long, meaning, takesValue, words }: ManualOption): string {
  const value = words.length > 0 ? ` -x -a ${quoted(words.join(' '))}` : takesValue ? ' -r' : '';
  const seen = `-n '__fish_seen_subcommand_from ${name}'`;
  return `complete -c ctx ${seen} -l ${long.replace(/^--/, '')}${value} -d ${quoted(meaning)}`;
}

function commandLines({ name, summary, options, arguments: given }: CommandManual): string[] {
  const words = given.flatMap((one) => one.words);
  const plain = `complete -c ctx -n '__fish_seen_subcommand_from ${name}' -a ${quoted(words.join(' '))}`;
  return [
    `complete -c ctx -n __fish_use_subcommand -f -a ${name} -d ${quoted(summary)}`,
    ...(words.length > 0 ? [plain] : []),
    ...options.map((option) => optionLine(name, option)),
  ];
}

/** A completion script for fish. */
export function completeFish(manuals: readonly CommandManual[]): string {
  const head =
    '# Completion of ctx for fish: ctx completion fish > ~/.config/fish/completions/ctx.fish';
  return `${[head, ...manuals.flatMap(commandLines)].join('\n')}\n`;
}
