import { searchWords } from '@ctx/relevance';
import { type FactKind, speech } from '@ctx/store';
import type { ProposedFact, SaidMessage } from './observer.ts';

/** Longest fact, characters. */
export const mostCharacters = 4000;

/** What only the user can say of themselves. */
const ofTheUser: ReadonlySet<FactKind> = new Set<FactKind>([
  'preference',
  'constraint',
  'identity',
]);

/** Words by which an observer may name people without finding them in the source. */
const freeWords = new Set(
  ['user', 'assistant', 'project', 'team'].flatMap((word) => searchWords(word)),
);

const plain = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll('’', "'")
    .replaceAll('favourite', 'favorite')
    .replace(/\s+/g, ' ')
    .trim();

const numbersIn = (text: string): string[] => text.match(/\d+/g) ?? [];

/** Words of a fact that stand for other words of a quote. */
const sameMeaning: readonly (readonly [said: RegExp, stands: string])[] = [
  [/\b(?:name|call me|called|i am|i'm)\b/, 'name named called'],
  [/\b(?:prefer|like|love|favorite|rather|use|want|always|please)\b/, 'prefers wants'],
  [/\b(?:live|living|based|moved to|reside)\b/, 'lives located based resides moved'],
  [/\b(?:work|job|employe[dr])\b/, 'works employed job employer'],
  [/\b(?:we're|we are|switched|moved|run|runs|use)\b/, 'uses using switched moved runs'],
  [/\b(?:i'm|i am)\b/, 'works'],
];

const negation =
  /\b(?:not|never|no|none|nobody|nothing|cannot|without|neither|nor|stop(?:ped|s)?|quit|left|used to|former(?:ly)?|any ?more|refuses?|avoids?|hates?|dislikes?)\b|n't\b/;

/** Words that only deny: whether they stand on both sides is looked at by itself. */
const onlyDeny = /\b(?:can't|won't|not|never|no longer|no|any ?more|used to|cannot)\b|n't\b/g;

/** Sentences that ask, suppose or report, and state nothing of their own. */
const statesNothing =
  /\?["')]*\s*$|^(?:if|unless|suppose|imagine|maybe|perhaps|should|could|would)\b|(?<!\bi )\b(?:says|said|claims|claimed|thinks|thought|told|wish|wishes|might)\b/;

/** Whether a text denies something; an answer "no," denies nothing of what follows. */
const denies = (text: string): boolean => negation.test(text.replace(/^no\b[,.!]/, ' '));

/** Sentences that hold the quote; the quote where it runs over several. */
function sentencesAround(text: string, quote: string): string[] {
  const around = speech
    .sentencesOf(text)
    .map(plain)
    .filter((sentence) => sentence.includes(quote));
  return around.length === 0 ? [quote] : around;
}

/** Words that a fact may use: those of its quote, and those that mean the same. */
function wordsOf(quote: string): Set<string> {
  const same = sameMeaning.flatMap(([said, stands]) => (said.test(quote) ? [stands] : []));
  const whole = [quote, ...same].join(' ');
  return new Set([
    ...searchWords(whole, { maxCharacters: Infinity }),
    ...quote.split(/[^\p{L}\d]+/u),
  ]);
}

/** Whose matter a sentence tells, such as "boss" in "my boss likes tabs". */
const whoseOf = (sentence: string): string[] =>
  searchWords(/^(?:my|our|his|her|their) (\w+)/.exec(sentence)?.[1] ?? '').filter(
    (word) => !freeWords.has(word),
  );

/** The quote alone where it is a clause with a subject of its own: what the clause before it tells or denies says nothing of it. */
function clauseOf(sentence: string, quote: string): string {
  const before = sentence.slice(0, sentence.indexOf(quote)).trimEnd();
  return /^(?:i|we|my|our|the|always|never|do not|don't)\b/.test(quote) &&
    /(?:[,;]|\b(?:and|but|so))$/.test(before)
    ? quote
    : sentence;
}

/** Returns why one sentence with the quote does not carry the fact. */
function refusalBy(text: string, sentence: string, quote: string): string | undefined {
  if (statesNothing.test(sentence)) return 'its source only asks, supposes or reports it';
  const clause = clauseOf(sentence, quote);
  if (denies(text) !== denies(clause)) return 'it says what its source does not say: one denies';
  const said = new Set(searchWords(text));
  const [whose] = whoseOf(clause).filter((word) => !said.has(word));
  return whose && `its source speaks of another: ${whose}`;
}

/** Returns why the quote and its sentence do not carry the words of a fact. */
function refusalOfWords({ text, quote: given }: ProposedFact, said: string): string | undefined {
  const quote = plain(given);
  const numbers = new Set(numbersIn(quote));
  const words = wordsOf(quote);
  const more = [
    ...numbersIn(text).filter((number) => !numbers.has(number)),
    ...searchWords(plain(text).replaceAll(onlyDeny, ' ')).filter(
      (word) => !words.has(word) && !freeWords.has(word),
    ),
  ];
  if (more.length > 0) return `it says what its source does not say: ${more.join(', ')}`;
  const refusals = sentencesAround(said, quote).map((one) => refusalBy(plain(text), one, quote));
  return refusals.includes(undefined) ? undefined : refusals[0];
}

/** Returns why a proposed fact cannot be believed, `undefined` if it can. */
export function refusalOf(
  fact: ProposedFact,
  messages: ReadonlyMap<number, SaidMessage>,
): string | undefined {
  const message = messages.get(fact.sequence);
  if (message === undefined) return `nothing was said in message ${String(fact.sequence)}`;
  if (fact.text.length > mostCharacters) {
    return `a fact may have ${String(mostCharacters)} characters, got ${String(fact.text.length)}`;
  }
  const quote = plain(fact.quote);
  if (quote === '') return 'it quotes nothing';
  if (!plain(message.text).includes(quote)) {
    return `its quote does not stand in message ${String(fact.sequence)}`;
  }
  if (message.speaker !== 'user' && ofTheUser.has(fact.kind)) {
    return `a fact of the kind ${fact.kind} must be said by the user`;
  }
  return refusalOfWords(fact, message.text);
}
