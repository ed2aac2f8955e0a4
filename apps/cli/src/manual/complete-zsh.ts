import { type CommandManual, type ManualOption, verbsByNoun } from './command-manual.ts';

/** In single quotes, with what `_arguments` and `_describe` read as their own made plain. */
function described(text: string): string {
  return text.replaceAll(/[\\:[\]]/g, String.raw`\$&`).replaceAll("'", `'\\''`);
}

function optionSpec({ long, meaning, takesValue, words }: ManualOption): string {
  const action = words.length > 0 ? `(${words.join(' ')})` : '_files';
  const value = takesValue ? `:value:${action}` : '';
  return `'${long}[${described(meaning)}]${value}'`;
}

function commandCase({ name, options, arguments: given }: CommandManual): string {
  const [first] = given;
  const words = first?.words ?? [];
  const firstWord = words.length > 0 ? ` '1:word:(${words.join(' ')})'` : '';
  const specs = [...options.map(optionSpec), `'--help[help]'`].join(' \\\n        ');
  return `      ${name})
      _arguments \\
        ${specs}${firstWord} '*:file:_files' ;;`;
}

/** A completion script for zsh. */
export function completeZsh(manuals: readonly CommandManual[]): string {
  const alone = manuals.filter(({ name, listed }) => name === listed);
  const names = alone.map(({ name, summary }) => `    '${name}:${described(summary)}'`);
  const pairs = manuals.filter(({ name, listed }) => name !== listed);
  const cases = pairs.map(({ name, listed }) => `      '${listed}') words[2]=${name} ;;`);
  const verbs = verbsByNoun(manuals).map(
    ([noun, words]) => `      ${noun}) compadd ${words.join(' ')} ;;`,
  );
  return `#compdef ctx
# Completion of ctx for zsh. Add to ~/.zshrc, behind compinit: source <(ctx completion zsh)
_ctx() {
  local -a commands
  commands=(
${names.join('\n')}
    'help:help of a command'
  )
  if (( CURRENT == 2 )) || { (( CURRENT == 3 )) && [[ $words[2] == help ]] }; then
    _describe 'command' commands
    return
  fi
  if (( CURRENT == 3 )) && [[ $words[3] != -* ]]; then
    case $words[2] in
${verbs.join('\n')}
    esac
  fi
  if (( CURRENT > 3 )); then
    local pair="$words[2] $words[3]"
    case $pair in
${cases.join('\n')}
    esac
    if [[ $pair != "$words[2] $words[3]" ]]; then words[3]=(); (( CURRENT-- )); fi
  fi
  local command=$words[2]
  shift words
  (( CURRENT-- ))
  case $command in
${manuals.map(commandCase).join('\n')}
    *) _files ;;
  esac
}
if [[ $funcstack[1] == _ctx ]]; then _ctx "$@"; else compdef _ctx ctx; fi
`;
}
