import { isStateWord } from './forms/states.ts';
import { nationality } from './languages.ts';
import { isPartOfWork, isTool } from './tools.ts';

/** Words that people write with a capital after "I'm", and that name nobody. */
const noName =
  /^(?:ok|okay|sorry|done|back|here|ready|sure|not|fine|good|great|happy|glad|new|tired|lost|stuck|home|off|out|in|on|up|at|so|very|just|still|also|really|always|never|now|all|only|the|an?|no|yes|mr|mrs|ms|dr|prof|team|god|christian|catholic|jewish|muslim|buddhist|hindu|atheist|vegan|vegetarian|admin|root|owner|lead|senior|junior|chief|head|product|software|backend|frontend|scrum|master|officer|president|director|head of|engineer|student|teacher|user|developer|designer|manager|busy|free|sick|late|confused|curious|interested|afraid|aware|able|trying|working|using|getting|building|(?:mon|tues|wednes|thurs|fri|satur|sun)day|january|february|march|april|june|july|august|september|october|november|december)$/i;

/** What may follow a name with which people introduce themselves. */
const introduced =
  /^(?:[,.!]? *$|,? (?:and (?:I|my|we)\b|but (?:I|my|we)\b|from \p{Lu}|by the way$|btw$|nice to meet you$)|, (?:an?|the|your|our|from|and)\b)/u;

const aName =
  /^\p{Lu}\p{Ll}[\p{L}'-]*(?: (?:(?:van|von|de|da|del|di|la|le|bin|al)(?: der| den)? )?\p{Lu}[\p{L}.-]*){0,2}/u;

/** The name with which people introduce themselves after "I'm", if these words are one: "Lena", not "Lena's colleague" or "German". */
export function introducedName(said: string): string | undefined {
  const [name] = aName.exec(said) ?? [];
  if (name === undefined || /'s\b/.test(name) || isStateWord(name)) return undefined;
  const parts = name.split(' ');
  if (parts.some((word) => noName.test(word) || nationality.test(word) || /ing$/.test(word))) {
    return undefined;
  }
  return !isTool(name) && !isPartOfWork(name) && introduced.test(said.slice(name.length))
    ? name
    : undefined;
}
