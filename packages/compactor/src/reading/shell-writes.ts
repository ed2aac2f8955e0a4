/** What `cat` and `tee` write to, with a text that stands in the command or is piped in. */
const written =
  /\b(?:cat[ \t]{0,20}(?:<<-?[ \t]{0,20}\S{1,60}[ \t]{0,20})?>{1,2}|tee(?:[ \t]{1,20}-a)?)[ \t]{0,20}([\w./@+-]{1,1000})/g;

/** A stream editor that changes the files behind its script. */
const inPlace =
  /\b(?:sed|perl)(?:[ \t]+-[\w.]{1,40})*[ \t]+-\w{0,20}i[\w.]{0,20}[ \t]([^\n;|&]{1,4000})/g;

const isFileName = (word: string): boolean => /^[\w./@+-]{1,1000}\.\w{1,12}$/.test(word);

/** Longest command that is looked at, characters. */
const maxCommand = 20_000;

/** The files that a command line writes by `cat >`, `tee`, `sed -i` or `perl -pi`, in its order. Takes linear time. */
export function writtenFiles(command: string): string[] {
  const line = command.slice(0, maxCommand);
  const bare = line.replace(/'[^']*'|"(?:[^"\\]|\\[\s\S])*"/g, "''");
  const heredocs = Array.from(line.matchAll(written), ([, path = '']) => path);
  const edited = Array.from(bare.matchAll(inPlace), ([, rest = '']) => rest.split(/[ \t]+/)).flat();
  return [...heredocs, ...edited.filter(isFileName)].filter((path) => path !== '/dev/null');
}
