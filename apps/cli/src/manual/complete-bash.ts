import { type CommandManual, verbsByNoun } from './command-manual.ts';

/** Words in double quotes of a shell. They are names of ours, but nothing is taken for granted. */
function quoted(words: readonly string[]): string {
  return `'${words.join(' ').replaceAll("'", `'\\''`)}'`;
}

function valueCases({ name, options }: CommandManual): string[] {
  return options
    .filter(({ words }) => words.length > 0)
    .map(({ long, words }) => `    '${name} ${long}') words=${quoted(words)} ;;`);
}

/** Options that take a value which only the user knows: a file may be one. */
function openValues({ name, options }: CommandManual): string[] {
  return options
    .filter(({ takesValue, words }) => takesValue && words.length === 0)
    .map(({ long }) => `'${name} ${long}'`);
}

function commandCase({ name, options, arguments: given }: CommandManual): string {
  const words = given.flatMap((one) => one.words);
  const flags = [...options.map(({ long }) => long), '--help'];
  return `    ${name}) flags=${quoted(flags)}; plain=${quoted(words)} ;;`;
}

/** A case per command of two words: from there on its short name stands for both. */
function pairCase({ name, listed }: CommandManual): string[] {
  return name === listed ? [] : [`    '${listed}') command=${name} first=3 ;;`];
}

/** A completion script for bash. */
export function completeBash(manuals: readonly CommandManual[]): string {
  const listed = manuals.filter((manual) => manual.name === manual.listed);
  const names = [...listed.map(({ name }) => name), 'help'];
  const open = manuals.flatMap(openValues).join('|');
  return `# Completion of ctx for bash. Add to ~/.bashrc: source <(ctx completion bash)
_ctx() {
  local current="\${COMP_WORDS[COMP_CWORD]}" before="\${COMP_WORDS[COMP_CWORD-1]}"
  local command="\${COMP_WORDS[1]}" words='' flags='' plain='' first=2
  COMPREPLY=()
  if [ "$COMP_CWORD" -eq 1 ] || { [ "$COMP_CWORD" -eq 2 ] && [ "$command" = help ]; }; then
    COMPREPLY=($(compgen -W ${quoted(names)} -- "$current"))
    return
  fi
  case "$command \${COMP_WORDS[2]}" in
${manuals.flatMap(pairCase).join('\n')}
  esac
  case "$command $before" in
${manuals.flatMap(valueCases).join('\n')}
    ${open === '' ? "'ctx '" : open}) return ;;
  esac
  case "$command" in
${manuals.map(commandCase).join('\n')}
  esac
  case "$COMP_CWORD $command" in
${verbsByNoun(manuals)
  .map(([noun, verbs]) => `    '2 ${noun}') plain=${quoted(verbs)} ;;`)
  .join('\n')}
  esac
  if [ -n "$words" ]; then COMPREPLY=($(compgen -W "$words" -- "$current"))
  elif [ "\${current#-}" != "$current" ]; then COMPREPLY=($(compgen -W "$flags" -- "$current"))
  elif [ "$COMP_CWORD" -eq "$first" ] && [ -n "$plain" ]; then COMPREPLY=($(compgen -W "$plain" -- "$current"))
  fi
}
complete -o default -F _ctx ctx
`;
}
