/** Words that say that something is otherwise than it was. */
const [otherwise, beside] = [
  /\b(?:now|from now on|no longer|instead|these days)\b/i,
  /\b(?:also|too|as well|both|still|some(?:times)?|most(?:ly)?|partly|for now|right now)\b/i,
];

/** Words of a statement that only say that it changed, and where it goes on with what held before: "instead of Heroku". */
const [ofChange, denial] = [
  /,? ?\b(?:from now on|these days|instead|now)\b,?/gi,
  /,? (?:instead of|rather than|no longer|not) /i,
];

/** A subject, what is said of it, and the value: of such statements one holds at a time. */
const statement =
  /^(?:(?:the|our|my) )?([\w'/-]+(?: [\w'/-]+){0,3}?) (is|are|runs?|lives?|happens?|starts?|ends?|goes|go) (?:(called|named|on|in|at|to|by|from|with|through|every) )?(\S+(?: \S+){0,2})$/iu;

const [times, numbers, places, names] = [
  /^(?:(?:mon|tues|wednes|thurs|fri|satur|sun)days?|(?:january|february|march|april|may|june|july|august|september|october|november|december)\b|(?:noon|midnight|mornings?|evenings?|nights?|weekends?|day|week|month|year)$|\d{1,2}(?::\d\d| ?[ap]m)\b)/i,
  /^v?\d/i,
  /^\S*[/:]|^\S+\.\w/,
  /^\p{Lu}/u,
];

/** What kind of value it is: a day does not take the place of a server. */
function kindOf(value: string): string {
  const kinds = { time: times, number: numbers, place: places, name: names };
  return Object.entries(kinds).find(([, kind]) => kind.test(value))?.[0] ?? 'word';
}

/** What a statement is about: equal for those of which one holds at a time. */
function matterOf(text: string): string | undefined {
  const [stated = ''] = text.trim().split(denial);
  const plain = stated.replaceAll(ofChange, '').replace(/[.!]$/, '');
  const match = statement.exec(plain.trim());
  if (match === null) return undefined;
  const [, subject = '', verb = '', how = '', value = ''] = match;
  const kind = kindOf(value);
  // What is said of a thing without "on", "in" and the like may be one of many.
  if (how === '' && /^(?:name|word)$/.test(kind)) return undefined;
  const does = verb.replace(/s$/, '').replace(/^(?:i|are|run|live|happen)$/i, 'be');
  return `${subject} ${does} ${how} ${kind}`.toLowerCase();
}

/**
 * Tells of which statements one that says that something is otherwise now takes the place: of those with the same subject, verb and kind
 * of value, such as "Deploys run on Fridays" where deploys run on Mondays now. English. `undefined` where it says nothing of the kind.
 */
export function endsRestated(text: string): ((other: string) => boolean) | undefined {
  const stated = otherwise.test(text) && !beside.test(text) ? matterOf(text) : undefined;
  return stated === undefined ? undefined : (other) => matterOf(other) === stated;
}
