import { isTool } from '../tools.ts';

/** Words that say how something is, not which it is. */
const states =
  /^(?:red|green|yellow|amber|orange|down|up|ok|okay|good|bad|fine|great|nice|wrong|right|correct|invalid|valid|broken|frozen|stuck|gone|dead|alive|live|offline|online|idle|busy|free|full|empty|ready|healthy|unhealthy|flaky|slow|fast|quick|late|early|new|old|outdated|stale|hot|cold|high|low|huge|large|big|small|tiny|long|short|clean|dirty|messy|ugly|noisy|heavy|light|open|shut|public|private|secret|safe|unsafe|secure|insecure|stable|unstable|active|inactive|hard|easy|simple|complex|weird|strange|odd|same|different|unknown|unclear|unset|unsupported|obsolete|legacy|optional|required|mandatory|null|nil|undefined|nan|none|nothing|missing|true|false|on|off|in|out|tbd|tba|todo|wip|sick|ill|tired|angry|happy|sad|mad|afraid|awesome|terrible|awful|horrible|perfect|insane|crazy|progress|hold|fire|risk|review|maintenance|trouble|limbo|always|still|too|very|so|really|now|again|also|only|about|almost)$/i;

const participle = /^\p{L}{3,}(?:ed|ing|able|ible|ful|ous)$/u;

const wordIn = (words: string): string =>
  /^["'`]?([\p{L}-]+)["'`]?(?=$|[\s,.!;(])/u.exec(words)?.[1] ?? '';

/** Whether words begin with a state, such as "Red": "Red Hat" is a name. Participles are none here, as people may be called Alfred. */
export const isStateWord = (words: string): boolean =>
  states.test(wordIn(words)) && !/^\S+ \p{Lu}/u.test(words);

/** The same with participles and the like: "Deprecated", "Unreachable". */
export function isState(words: string): boolean {
  const word = wordIn(words);
  const looks = isStateWord(words) || (participle.test(word) && !/^\S+ \p{Lu}/u.test(words));
  return looks && !isTool(word);
}
