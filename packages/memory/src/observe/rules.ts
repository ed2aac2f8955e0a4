import { speech } from '@ctx/store';
import { forms } from './forms/all-forms.ts';
import type { Found } from './forms/form.ts';
import { personNamed, withName } from './forms/people-forms.ts';
import { keptWords } from './kept-words.ts';
import type { Observer, ProposedFact, SaidMessage } from './observer.ts';
import { replacementIn } from './replaced.ts';
import { spelledOut } from './spelled-out.ts';
import { spreadClause } from './spread-clause.ts';

/** Longest clause that states a fact, characters. */
const mostCharacters = 300;

/** How a clause begins or ends that asks, supposes or reports, and states nothing. */
const statesNothing =
  /\?\s*$|^(?:if|unless|maybe|perhaps|should|shall|can|could|would|will|what|why|how|when|where|who|which|is|are|was|were|do(?! not)|does|did|has|have|i think|i guess|i wonder|it seems|suppose|imagine|assum(?:e|ing)|let's (?:say|assume|pretend|suppose|imagine)|provided|as long as|hypothetically|theoretically|in theory|ideally|presumably|allegedly|apparently|supposedly|possibly|probably|potentially|wow|(?:oh|ah|yeah|well),? (?:sure|right|great|nice|wonderful|lovely|perfect|joy|brilliant|how)\b|e\.g|for example|let me know|(?:in|for) (?:the|this|that|an?|your) (?:[\w-]+ )?(?:story|examples?|joke|fixtures?|samples?|snippet|screenshot|scenario|exercise|quote|article|video|book|log|output|prompt))\b/i;

/** What stands before a statement that is meant to be kept, or that corrects. */
const lead =
  /^(?:(?:please |also |and )*(?:remember|keep in mind|note|don't forget|for the record|fyi|for your information)(?: that|:|,) *|actually (?=(?:the|our|my|we|I)\b)|(?:fyi|btw|by the way|for (?:context|reference|background)|heads[- ]up|just so you know|context|background)\b(?:[:,.]| -)? *(?=\S)|(?:no|nope|actually|correction|sorry|wait|update)(?:,? (?:no|actually|sorry|wait))?[,:] +(?:I meant )?)/i;

const isMeantToBeKept = (words: string): boolean => /remember|mind|record|forget/i.test(words);

/** Words of a clause that only say where or when the rest holds. */
const adverbial =
  /^(?:in|for|on|at|during|when|while|with|as|before|after|under|inside|since|because|although)\b/i;

/** What may stand before a statement of the user's own. */
const opening =
  /^(?:(?:and|but|so|also|well|ok|okay|yes|yeah|hi|hello|hey|thanks|btw|by the way|fyi|no|actually|now|because|since|though|although|please|just|today|yesterday|generally|usually|personally|honestly|to be clear|for now|then|that|not)[,:!.]* *)*$/i;

/** How words begin that others said, or that nobody said. */
const reports =
  /\b(?:says?|said|saying|tells?|told|claims?|claimed|thinks?|thought|believes?|believed|insists?|wrote|writes?|asks?|asked|heard|reads|reckons?|suggests?|suggested|recommends?|recommended|argues?|according to|pretend(?:s|ed)?|imagines?|supposes?|assumes?|assumed|wish(?:es)?|hopes?|dream(?:s|t|ed)?)\b/i;

/** The same behind them. */
const reportsBefore =
  /[,"'”] (?:(?!I\b)[\w']{1,20} ){1,3}(?:says?|said|claims?|claimed|told|thinks?|thought|wrote|writes|suggested)\b/i;

const ownWords = /\bI(?:'ve| have)?(?: just| already)? (?:said|told you|wrote|mentioned)\b/gi;

/** Whether a statement that stands in a sentence is the user's own: not reported, supposed or quoted. */
function isOwn(sentence: string, { at, begins }: { at: number; begins: number }): boolean {
  const head = sentence.slice(0, at + begins);
  const inClause = head.slice(at);
  if (reports.test(head.replaceAll(ownWords, ' ')) || reportsBefore.test(sentence.slice(at))) {
    return false;
  }
  if ((head.match(/["“”]/g)?.length ?? 0) % 2 === 1) return false;
  return opening.test(inClause.replaceAll(ownWords, ' ')) || adverbial.test(inClause);
}

/** Settings or rules that "and" joins. */
const joined: readonly (readonly [first: RegExp, between: RegExp])[] = [
  [/^(?:the|our|my)\b/i, /,? (?:and|but) (?=(?:the|our) (?:[\w'-]+ ){1,4}(?:is|runs|listens) )/],
  [
    /^(?:(?:please|and|also|important|note|from now on)[,:]? ){0,3}(?:always|never|do not|don't)\b/i,
    /,? (?:and|but) (?=(?:please )?(?:always|never|do not|don't) [a-z])/,
  ],
];

function furtherClauses(clause: string): string[] {
  const between = joined.find(([first]) => first.test(clause.trim()))?.[1];
  return between === undefined ? [clause] : clause.split(between);
}

/** Parts of a sentence that state something each. */
function clausesOf(sentence: string): string[] {
  if (replacementIn(sentence) !== undefined) return [sentence];
  const parts = sentence.split(
    /([;,] (?:and |but )?(?=(?:my|I|we|our) |(?:I|we)'(?:ll|ve|d) |I'm (?:an? |\p{Lu}))| (?:and|but) (?=(?:my|I|we|our) |I'm (?:an? |also |allergic |vegetarian|vegan|from |\d)|(?:in|on|for) (?:the |our )?[\w-]{1,30},? (?:we|the|our) ))/u,
  );
  const [first = '', comma = '', second, ...rest] = parts;
  // "In tests, we use SQLite" says nothing of other places.
  const whole = second !== undefined && adverbial.test(first) && comma.startsWith(', ');
  const clauses = whole ? [first + comma + second, ...rest] : parts;
  return clauses.filter((_, at) => at % 2 === 0).flatMap(furtherClauses);
}

interface Place {
  readonly sentence: string;
  /** Where the clause begins. */
  readonly at: number;
}

/** What joins a statement to the one before it, and is no part of the fact. */
const joint = /^(?:and|but|so|also),? /i;

/** What a clause states; of several places each by itself. */
function factsIn(clause: string, { sentence, at }: Place): (Found & { readonly text: string })[] {
  const [words = ''] = lead.exec(clause) ?? [];
  const text = clause.slice(words.length).replace(/(?<![\s.!,;])[\s.!,;]+$/, '');
  if (text.length > mostCharacters || [text, clause].some((one) => statesNothing.test(one))) {
    return [];
  }
  const kept = keptWords(clause);
  if (kept !== undefined) return [{ text: kept, kind: 'environment' }];
  const place = { sentence, at: at + words.length };
  const found = spreadClause(text).flatMap((one) => {
    const form = readClause(one, place);
    return form === undefined ? [] : [{ text: one.replace(joint, ''), ...form }];
  });
  if (found.length > 0) return found;
  return isMeantToBeKept(words) && /\s/.test(text) ? [{ text, kind: 'environment' }] : [];
}

/** What the first form that fits reads, in the words of a clause or spelled out; first what takes the place of what. */
function readClause(text: string, place: Place): Found | undefined {
  const told = [replacementIn(text), text, spelledOut(text)];
  for (const words of told) {
    const found = words === undefined ? undefined : formIn(words, place);
    if (found !== undefined) return found;
  }
  return undefined;
}

function formIn(text: string, { sentence, at }: Place): Found | undefined {
  for (const { pattern, read } of forms) {
    const match = pattern.exec(text);
    if (match === null || !isOwn(sentence, { at, begins: match.index })) continue;
    const found = read(match, text);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The words of a text from the name in one sentence to the end of another. */
function quoteFrom(
  text: string,
  first: string,
  { name, last }: { readonly name: string; readonly last: string },
): string {
  const [from, to] = [text.indexOf(first), text.indexOf(last)];
  if (from === -1 || to === -1) return last;
  return text.slice(text.indexOf(name, from), to + last.length);
}

function factsOf({ text, sequence }: SaidMessage): ProposedFact[] {
  let told: { readonly name: string; readonly said: string } | undefined;
  return speech.sentencesOf(text).flatMap((one) => {
    const said = one.replaceAll('’', "'");
    const sentence = told === undefined ? said : withName(said, told.name);
    const name = personNamed(sentence);
    // The quote goes back to the sentence that names the person.
    const before = sentence === said || told === undefined ? '' : told.said;
    if (name !== undefined) told = { name, said: before === '' ? one : before };
    if (statesNothing.test(one)) return [];
    return clausesOf(sentence).flatMap((part) => {
      const clause = part.trim();
      const place = { sentence, at: sentence.indexOf(clause) };
      const quote =
        before === '' ? clause : quoteFrom(text, before, { last: one, name: told?.name ?? '' });
      return factsIn(clause, place).map((found) => ({ ...found, sequence, quote }));
    });
  });
}

/**
 * Reads facts without a model: what users state about themselves and their project, standing rules, preferences, decisions, dates,
 * corrections, and what they ask to remember. English. Only the user's own words are read.
 */
export function rules(): Observer {
  return {
    name: 'rules',
    observe: (messages) => messages.filter(({ speaker }) => speaker === 'user').flatMap(factsOf),
  };
}
