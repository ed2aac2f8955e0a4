/** Words of the shell's own language that stand before a program, and programs that start the one behind them. */
const keywords = new Set(
  'do then else elif if while until time ! { ( command exec nohup builtin eval'.split(' '),
);

/** Programs that start another one behind options, a time, a host or a container. */
const wrappers = new Set('sudo env nice timeout docker podman kubectl ssh uv poetry'.split(' '));

/** Programs that are found behind them. */
const found =
  /^(?:\S*\/)?(?:cat|tac|nl|bat|less|more|head|tail|sed|awk|perl|git|e?grep|rg|python3?|node|(?:ba|z)?sh|tee|patch|diff|find)$/;

/** Most words that are looked at behind one of them. */
const maxOptions = 20;

export const isAssignment = (word: string): boolean => /^[A-Za-z_][A-Za-z0-9_]*=/.test(word);

/** The number of words before the program that is really started. */
export function wordsBefore(words: readonly string[]): number {
  let at = 0;
  for (let word = words[at]; word !== undefined; word = words[at]) {
    const isWrapper = wrappers.has(word);
    if (!isWrapper && !keywords.has(word) && !isAssignment(word)) break;
    const rest = isWrapper ? words.slice(at + 1, at + maxOptions) : [];
    const next = rest.findIndex((each) => found.test(each) || each.includes(' '));
    at += Math.max(0, next) + 1;
  }
  return at;
}

/** The command line that is given to another shell, here or elsewhere. */
export function innerCommand(words: readonly string[]): string | undefined {
  const [program = '', ...rest] = words;
  if (/^(?:\S*\/)?(?:bash|sh|zsh|pwsh|powershell|cmd)(?:\.exe)?$/i.test(program)) {
    const start = rest.findIndex((word) => /^(?:-(?:l?c|command)|\/[ck])$/i.test(word)) + 1;
    const isOne = /^-l?c$/.test(rest[start - 1] ?? '');
    return start === 0 ? undefined : rest.slice(start, isOne ? start + 1 : undefined).join(' ');
  }
  // What `ssh` and `eval` were given as one word.
  return rest.length === 0 && program.includes(' ') ? program : undefined;
}
