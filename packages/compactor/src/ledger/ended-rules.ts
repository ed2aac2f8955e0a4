import { searchWords } from '@ctx/relevance';

/** Takes back what was asked for before. */
const takesBack =
  /\b(?:forget(?: about)?|ignore|disregard|drop|scratch|never ?mind|lift|(?:no longer|not) (?:need|have to|necessary|required|applies|apply)|(?:don't|do not|needn't) (?:need|have) to)\b/i;

/** Matches where a sentence names what it replaces: "use spaces instead of tabs", "pnpm, not npm". */
const inPlaceOf =
  /\b(?:instead of|rather than|(?:switch(?:ed)?|moved?|changed?) from)\s|[^\s.] (?:and |but )?not\s/i;

/** Most characters of what is replaced, to the end of the sentence. */
const mostReplaced = 80;

/** A rule that holds until something happens. */
const forNow = /\b(?:yet|for now|for the moment|until|till|before (?:i|we|you)|first)\b/i;

/** A rule that says of itself that it always holds, or forbids: only words that take it back end it. */
const always = /\b(?:always|never|ever|under no)\b/i;
const denies = /\b(?:never|not|no|without|avoid|stop)\b|n't\b/i;

/** What is said of one time, and what only asks. */
const once = /\b(?:once|this (?:one|time)|just (?:now|this)|only now)\b|\?\W{0,3}$/i;

/** Words that rules of all kinds share. */
const common = new Set(
  searchWords(
    'please always never must should only prefer use using keep make sure yet now first until moment instead rather switch move change forget ignore drop rule about need longer can may okay fine actually let go ahead',
  ),
);

const plain = (text: string): string => text.replaceAll('’', "'");

const wordsOf = (text: string): string[] => [
  ...new Set(searchWords(plain(text)).filter((word) => !common.has(word))),
];

/** The rule without its numbers, and without the language of answers: of two that are equal then the later one holds. */
function formOf(rule: string): string {
  return plain(rule)
    .toLowerCase()
    .replace(/^(?:please |now |actually,? |ok,? )+/, '')
    .replace(/\b((?:answer|reply|respond|speak|write)(?: to me)? in) [a-z]{3,20}\b/, '$1 #')
    .replace(/\d[\d.,]*/g, '#')
    .replace(/[^\p{L}#]+/gu, ' ')
    .trim();
}

/** Returns the words of what a sentence replaces. */
function replacedBy(text: string): string[] {
  const found = inPlaceOf.exec(text);
  const replaced = found ? text.slice(found.index + found[0].length) : '';
  if (replaced.length > mostReplaced) return [];
  return wordsOf(replaced.split(/\bto\b/)[0] ?? '');
}

/** Whether a sentence names all that a rule is about. */
function namesAll(rule: string, later: string): boolean {
  const own = wordsOf(rule);
  const words = new Set(wordsOf(later));
  return own.length > 0 && own.every((word) => words.has(word));
}

/** A rule with another number, or another language of answers. */
function restates(rule: string, later: string): boolean {
  const form = formOf(rule);
  return form.includes('#') && form === formOf(later) && rule !== later;
}

/** Whether what was forbidden until something happens was asked for. */
function isMet(rule: string, later: string): boolean {
  const head = rule.split(forNow)[0] ?? '';
  return head !== rule && !denies.test(later) && namesAll(head, later);
}

/** Whether a later sentence of the user ends a rule. In doubt it does not. */
function ends(rule: string, later: string): boolean {
  if (restates(rule, later)) return true;
  if (once.test(later)) return false;
  if (takesBack.test(later) && namesAll(rule, later)) return true;
  if (always.test(rule)) return false;
  if (denies.test(rule)) return isMet(rule, later);
  const own = wordsOf(rule);
  const replaced = replacedBy(later);
  return replaced.length > 0 && replaced.every((word) => own.includes(word));
}

/** Later sentences that are looked at for each rule: the last ones. */
const mostLater = 500;

/** Returns whether a rule still holds after what the user said since. */
export function stillHolds(rule: string, since: readonly string[]): boolean {
  return !since.slice(-mostLater).some((later) => ends(plain(rule), plain(later)));
}
