const isFileName = (word: string): boolean => /^[\w./@+-]{1,1000}$/.test(word);
const hasEnding = (word: string): boolean => /\.\w{1,12}$/.test(word);

/** Where `>` and `>>` lead, with a blank behind them or without. */
function redirected(words: readonly string[]): string[] {
  return words.flatMap((word, at) => {
    if (word === '>' || word === '>>') return words[at + 1] ?? [];
    return word.startsWith('>') ? word.replace(/^>{1,2}/, '') : [];
  });
}

/** The files that one simple command writes. */
function writtenBy([program = '', ...words]: readonly string[]): string[] {
  const names = words.filter((word) => !word.startsWith('-'));
  if (program === 'cat') return redirected(words);
  if (program === 'tee') return names.slice(0, 1);
  const isInPlace = words.some((word) => /^-[a-zA-Z]{0,20}i/.test(word));
  const isEditor = program === 'sed' || program === 'perl';
  return isEditor && isInPlace ? names.filter(hasEnding) : [];
}

/** Longest command that is looked at, characters. */
const maxCommand = 20_000;

/** The files that a command line writes by `cat >`, `tee`, `sed -i` or `perl -pi`, in its order. Takes linear time. */
export function writtenFiles(command: string): string[] {
  return command
    .slice(0, maxCommand)
    .replace(/'[^']*'|"[^"]*"/g, "''")
    .split(/[;|&\n]+/)
    .flatMap((part) => writtenBy(part.trim().split(/[ \t]+/)))
    .filter((path) => isFileName(path) && path !== '/dev/null');
}
