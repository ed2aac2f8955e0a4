import { isTool } from '../tools.ts';
import { isState } from './states.ts';

/** Names with a capital or a digit, such as `GitHub Actions`, `Python 3.11` or `ES2020`. */
const named = /^\p{Lu}[\w.+#/-]*(?: (?:\p{Lu}|v?\d)[\w.+#/-]*){0,3}/u;

/** A name in small letters, with its version. */
const small = /^[a-z][\w.+#-]*(?: ?\.js)?(?: v?\d[\w.]*)?/;

/** What may follow a name that is whole. What is wrong or at hand is none that lasts. */
const afterName =
  /^(?:$|,|['"`)]| (?:for|in|on|as|now|only|because|since|these days|everywhere|but not|instead of|rather than|not)\b(?! (?:it|this|that|them|these|those|case|the (?:wrong|other|same|first|second|examples?|tests?|fixtures?|demo|samples?|snippets?|screenshots?|story|text)|an? wrong)\b))/i;

/** Another name, or a version from which on it holds. */
const andAnother = /^ (?:and|or) (?:\p{Lu}|\d|newer\b|later\b|above\b|up\b|the \w+ (?:in|is) )/u;

/** The name of what is used that words begin with; `undefined` if they begin with none, or if it goes on as something else. */
export function usedName(words: string): string | undefined {
  const bare = words.replace(/^["'`]/, '');
  const [name] = named.exec(bare) ?? (isTool(bare) ? (small.exec(bare) ?? []) : []);
  if (name === undefined || isState(name)) return undefined;
  const rest = bare.slice(name.length);
  return afterName.test(rest) || andAnother.test(rest) ? name : undefined;
}
