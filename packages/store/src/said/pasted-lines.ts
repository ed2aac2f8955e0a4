/**
 * Lines that only programs write: frames of a stack, places in files, prompts with what was typed after them, heads of diffs, results of
 * test runners, of CI, of Git and of package managers, and what Aider says of itself.
 */
const writtenByProgram: readonly RegExp[] = [
  /^at \S.{0,300}[:(]\d{1,7}(?::\d{1,7})?\)?$|^at [\w$.<>]{1,200}\((?:Native Method|Unknown Source|<anonymous>)\)$|^\.{3} \d{1,5} more$/,
  /^File ".{1,300}", line \d|^Traceback \(most recent call last\):|^During handling of the above exception|^goroutine \d{1,9} \[|^panic: |^Caused by: /,
  /^(?:[\w$]{1,60}\.){0,8}[A-Z]\w{0,60}(?:Error|Exception)(?: \[\w{1,40}\])?(?:: |$)|^(?:Unhandled|Uncaught) [\w ]{0,40}(?:Error|Exception|rejection)\b/i,
  /^[\w.@/\\-]{1,200}\.\w{1,8}[:(]\d{1,7}(?:[:,]\d{1,7})?\)?(?::| -| error| warning)|^(?:error|warning)(?:\[\w{1,12}\])?: |\berror TS\d{3,5}: |^-->? \S{1,300}:\d/,
  /^(?:\$ |➜ |❯ |PS [A-Z]:\\|[A-Z]:\\[^>]{0,200}>|\(\w[\w.-]{0,40}\) \S{1,60}[$%#] |[\w.-]{1,40}@[\w.-]{1,60}[: ][^$#%]{0,200}[$#%] )/,
  /^(?:diff --git |index [0-9a-f]{7,40}\.\.|@@ -\d|(?:\+\+\+|---) (?:[ab]\/|\/dev\/null))|^(?:modified|deleted|new file|renamed|both modified): {2,12}\S/,
  /^On branch \S{1,200}$|^Your branch is (?:up to date|ahead|behind)|^(?:Changes (?:not staged for commit|to be committed)|Untracked files):$|^\(use "git |^no changes added to commit/,
  /^(?:npm|pnpm|yarn) (?:ERR!|error|warn|WARN|notice)|^(?:ERR_PNPM|ELIFECYCLE)|^➤ YN\d{4}|^> \S{1,100}@\d{1,5}\.\d/,
  /^[✓✔✗✕×●⨯] \S|^(?:PASS|FAIL|FAILED|ERROR) {1,4}[\w./-]{1,200}\.\w|^--- (?:PASS|FAIL|SKIP): |^=== (?:RUN|CONT|PAUSE) |^(?:FAIL|ok) {0,4}\t/,
  /^(?:Tests?|Test Suites|Test Files|Snapshots|Duration|Start at|Time):? {2,20}\d|^={3,80} .{0,100} ={3,80}$|^(?:not )?ok \d{1,6} |^\S{1,60}\.{5,90}(?:Passed|Failed|Skipped)$|^- (?:hook id|exit code|duration): /,
  /^##\[(?:group|endgroup|error|warning|section|command)\]|^::(?:error|warning|notice|group|endgroup)\b|^(?:Error: )?Process completed with exit code \d/,
  /^#\d{1,4} (?:\[|DONE|CACHED|ERROR|sha256:|\d{1,6}\.\d)|^=> (?:\[|ERROR|CACHED)|^Step \d{1,4}\/\d{1,4} : /,
  /^[A-Z][a-z]{2} {1,2}\d{1,2} \d{2}:\d{2}:\d{2} \S|^\d{1,3}(?:\.\d{1,3}){3} - |^(?:GET|POST|PUT|PATCH|DELETE|HEAD) \/\S{0,300} (?:HTTP\/|[1-5]\d{2}\b)|^HTTP\/[\d.]{1,3} \d{3}/,
  /^Tokens: [\d.,]{1,12}k? sent, |^(?:Applied edit to|Added) \S{1,200}(?: to the chat\.?)?$|^(?:Aider v\d|Main model: |Weak model: |Repo-map: using |Git repo: \.git )|^You can use \/undo to |^The LLM did not conform |^# Fix any errors below|^Use \/help <question>|^(?:>{5,9}|<{5,9}) (?:REPLACE|SEARCH)$|^Commit [0-9a-f]{7} |^(?:Removed|Now at): {1,4}[0-9a-f]{7} |^Diff since [0-9a-f]{7}|^\^C (?:again to exit|KeyboardInterrupt)/,
  /^Committing \S{1,200} before applying |^# \d{1,4} SEARCH|^Did you mean to match |^Don't re-send |^Just reply with fixed /,
];

/** Lines that programs and files write, and a person now and then: many together are pasted. */
const likeProgram: readonly RegExp[] = [
  /^(?:\[?(?:TRACE|DEBUG|INFO|WARN|WARNING|ERROR|FATAL|error|warn|info|debug)\]?[:\s]|\[[\w:./-]{1,40}\] \S)/,
  /[{;]$|^[\])}]{1,4}[;,]?$/,
  /^(?:import|export|const|let|var|def|class|func|fn|return|public|private|package|#include|@\w{1,40})\b.{0,300}[;:({]$/,
  /^(?:try|else|finally|except\b.{0,300}):$/,
  /^(?:- )?[a-z][a-z0-9]{0,40}_[a-z0-9_]{1,60}: ?|^"[^"]{1,80}": /,
  /^(?:- )?[a-z]\w{0,60}: (?:[\d'"[{]\S{0,200}|true|false|null)$/,
  /^[\w./@-]{1,120} {2,60}\S|^[+-] {0,60}\S.{0,300}[;{},]$|^\d{1,6}[:|│█] ?\S|^\d{1,6}-\s/,
  /^[-=~^_*.│┌└├─╭╰█]{3,200}$|^\^{1,80}$|^\|? ?\d{1,6} \| /,
];

/** How a person goes on, also right after what they pasted. */
const goesOn =
  /\?$|\b(?:I|I'm|I’m|I'd|please|pls|you|we|let's)\b|^(?:and|but|so|also|now|then|ok|okay|fix|make|use|keep|never|always|don't|don’t|do not|only|remember|why|how|what|can|could|should|add|remove|delete|change|run|check|look|find|try|explain|investigate|instead)\b/i;

/** A sentence of its own. */
const prose = /^\p{Lu}[\p{L}'’]{0,30},?(?: [^\s]{1,60}){5,80}[.!]$/u;

/** Whether a person goes on here; in a block that looks like a program's a sentence alone does not tell. */
function endsPaste(line: string, isPaste: boolean): boolean {
  return (goesOn.test(line) || (!isPaste && prose.test(line))) && !isLike(line);
}

/** How many lines that look alike make a paste, and their least share of a block. */
const [leastAlike, leastShare] = [3, 0.6];

/** The longest part of a line that is looked at, characters. */
const reach = 600;

/** Whether only a program writes this line. */
export function isWritten(line: string): boolean {
  return writtenByProgram.some((one) => one.test(line));
}

function isLike(line: string): boolean {
  return likeProgram.some((one) => one.test(line));
}

/**
 * The lines of a block without those that were pasted: what a program wrote, what follows it and does not sound like a person, and the
 * lines of a block most of which look like a program's or a file's.
 */
export function withoutPasted(block: readonly string[], isAnnounced = false): string[] {
  const lines = block.map((line) => line.slice(0, reach).trim());
  const written = lines.map((line) => isWritten(line));
  const like = lines.filter((line, at) => written[at] === true || isLike(line)).length;
  const isPaste = like >= leastAlike && like >= leastShare * lines.length;
  if (!isPaste && !isAnnounced && !written.includes(true)) return [...block];
  let isAfter = isPaste || isAnnounced;
  return block.filter((_, at) => {
    const line = lines[at] ?? '';
    if (written[at] === true) isAfter = true;
    else if (endsPaste(line, isPaste)) isAfter = isPaste;
    else return !(isAfter || (isPaste && isLike(line)));
    return written[at] !== true;
  });
}
