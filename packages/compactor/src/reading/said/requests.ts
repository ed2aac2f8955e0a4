import { speech } from '@ctx/store';
import type { History, HistoryCall, HistoryText } from '../history.ts';
import { askedWords } from './asked-words.ts';

/** What the user asked for. */
export interface Requests {
  /** The user's own words in the first message that has any; '' if the user said nothing. */
  readonly first: string;
  /** The same of the newest message between them that asks for something, where the newest is too short to stand alone; else ''. */
  readonly task: string;
  /** The same of the newest such message; '' if it is the first. */
  readonly newest: string;
  /** Whether nothing was said or done since the newest, or since the first if that is the only one. */
  readonly isUnanswered: boolean;
  /** The calls made since the newest. */
  readonly calls: readonly HistoryCall[];
}

/** A command of the host, such as `/mode`, asks for nothing; one with a text of its own does. */
const bareCommand = /^\/[\w:-]{1,60}$/;

/** The line with which Aider was started, at the head of what it writes down. */
const startsAider = /^\/\S{0,200}\/aider(?: [^\n]*)?(?:\n|$)/;

/** Words that ask for nothing by themselves, such as `yes` or `go on please`: at most so many words and characters. */
const [slightWords, slightCharacters] = [4, 40];

/** Whether words lean on what was asked before. */
export function isSlight(words: string): boolean {
  return words.length <= slightCharacters && words.split(/\s+/).length <= slightWords;
}

/** Words of thanks and of praise, which want no answer. */
const courtesy =
  /^(?:(?:ok|okay|yes|thanks|thank|you|so|much|a|lot|great|good|nice|perfect|cool|awesome|job|work|danke|super|merci|gracias)[\s.,!]*){1,6}$/i;

interface Own {
  readonly messageIndex: number;
  readonly words: string;
}

/** The user's own words by message, without bare commands unless there is nothing else. */
function ownWords(texts: readonly HistoryText[]): Own[] {
  const all = texts.flatMap(({ role, text, messageIndex, isCommand }) => {
    const words = role === 'user' ? askedWords(text).replace(startsAider, '').trim() : '';
    const asks = isCommand === true || !bareCommand.test(words);
    return words === '' ? [] : [{ messageIndex, words, asks }];
  });
  const told = all.filter(({ asks }) => asks);
  const byMessage = new Map<number, string>();
  for (const { messageIndex, words } of told.length === 0 ? all.slice(0, 1) : told) {
    const before = byMessage.get(messageIndex);
    byMessage.set(messageIndex, before === undefined ? words : `${before}\n${words}`);
  }
  return Array.from(byMessage, ([messageIndex, words]) => ({ messageIndex, words }));
}

/** Words that only let the work go on. */
const goesOn =
  /^(?:(?:ok|okay|yes|sure|please|and|go|on|ahead|continue|proceed|keep|going|do|it|that|next|weiter|now)[\s.,!]*){1,5}$/i;

/** Whether a few words name something to do. */
const asksBriefly = ({ words }: Own): boolean => !goesOn.test(words) && !courtesy.test(words);

/** The newest request between the first and a newest that is too short to stand alone: one of many words, else of few if the newest only says to go on. */
function taskBetween(told: readonly Own[]): string {
  const last = told.at(-1)?.words ?? '';
  if (!isSlight(last)) return '';
  const between = told.slice(1, -1);
  const brief = goesOn.test(last) ? between.findLast(asksBriefly) : undefined;
  return (between.findLast(({ words }) => !isSlight(words)) ?? brief)?.words ?? '';
}

const isAnswer =
  (after: number) =>
  ({ role, messageIndex }: HistoryText): boolean =>
    role === 'assistant' && messageIndex > after;

/** Finds what the user asked for first and last. Takes time linear in the user's words. */
export function requestsOf({ texts, calls }: History): Requests {
  const told = ownWords(texts);
  const newest = told.at(-1);
  if (newest === undefined) {
    const since = calls.filter(({ messageIndex }) => messageIndex > 0);
    return { first: '', task: '', newest: '', isUnanswered: false, calls: since };
  }
  const { words: last, messageIndex: after } = newest;
  const first = told[0]?.words ?? '';
  const since = calls.filter(({ messageIndex }) => messageIndex > after);
  const isUnanswered = since.length === 0 && !texts.some(isAnswer(after)) && !courtesy.test(last);
  const isOnly = told.length === 1;
  const task = isOnly ? '' : taskBetween(told);
  return { first, task, newest: isOnly ? '' : last, isUnanswered, calls: since };
}

/** How a sentence begins that says what the assistant will do. */
const intention =
  /^(?:(?:Ok(?:ay)?|Good|Great|Now|Next|Then|So|First)[,.:]? )?(?:(?:I'll|I’ll|I will|I'm going to|I am going to|I need to|Let me|Let's) |Next (?:step|up|I)\b|(?:Now|Next),? I |I(?:'m|’m| am) (?:(?:now|also|still|just) )?(?!being|going to be|having|hoping|assuming|seeing|thinking|wondering|missing|treating|keeping)[a-z]+ing\b)/i;

/** Texts of the assistant that are looked at for an intention, the newest first. */
const newestTexts = 3;

/** "Let me fix it." says nothing without the sentence before it: at most so many words. */
const bareWords = 5;

/** An intention in a few words, with the sentence before it in its line. */
function withReason(found: string, before: string | undefined, text: string): string {
  if (before === undefined || found.split(/\s+/).length > bareWords) return found;
  const both = `${before} ${found}`;
  return text.includes(both) ? both : found;
}

/** What the assistant said that it will do, and what it did since. */
export interface Intention {
  readonly text: string;
  /** The calls made with it or since, oldest first. */
  readonly calls: readonly HistoryCall[];
}

/** What more sentences than these follow was carried out there and then. */
const closingSentences = 3;

/** Place of the newest message in which the user asks for something by itself; -1 if there is none. */
function newestAsked(texts: History['texts']): number {
  const asked = ownWords(texts).findLast(({ words }) => !isSlight(words));
  return asked?.messageIndex ?? -1;
}

/** The texts of the assistant since the user last asked for something, the newest first. */
function saidSince(texts: History['texts']): readonly HistoryText[] {
  const asked = newestAsked(texts);
  const said = texts.filter(
    ({ role, messageIndex }) => role === 'assistant' && messageIndex > asked,
  );
  return said.slice(-newestTexts).reverse();
}

/**
 * Returns the last sentence in which the assistant says what it will do; `undefined` if its newest texts hold none, if they answer the user, or
 * if the user has asked for something else since.
 */
export function lastIntention({ texts, calls }: History): Intention | undefined {
  for (const { text, callsBefore } of saidSince(texts)) {
    const sentences = speech.sentencesOf(speech.withoutCode(text));
    const since = calls.slice(callsBefore);
    const at = sentences.findLastIndex((sentence) => intention.test(sentence));
    const found = sentences[at];
    const isDone = since.length === 0 && sentences.length - 1 - at > closingSentences;
    if (found !== undefined && !isDone) {
      return { text: withReason(found, sentences[at - 1], text), calls: since };
    }
    if (since.length === 0) return undefined;
  }
  return undefined;
}

/** How the newest words of the assistant stand to the user. */
export interface LastWord {
  /** The question with which it ended, and which the user has not answered, or in a few words; else ''. */
  readonly question: string;
  /** Whether nothing was said or done since: what Aider prints, such as "Applied edit to a.py", is not. */
  readonly isLast: boolean;
}

/** Lines that Aider prints below an answer that it took over. */
const printedByAider =
  /^(?:>{5,9} REPLACE$|Tokens: [\d.,]{1,12}k? sent|Applied edit to |Committing \S{1,200} before |Commit [0-9a-f]{7} |You can use \/undo |Diff since [0-9a-f]{7})/;

/** Whether nobody says this: Aider printed it, or it is a command that asks for nothing. */
const isSilent = (text: string): boolean =>
  text
    .split('\n')
    .map((line) => line.trim())
    .every((line) => line === '' || printedByAider.test(line) || bareCommand.test(line));

/** Looks at the newest text of the assistant after which it made no calls. */
export function lastWord({ texts, calls }: History): LastWord {
  const [newest] = saidSince(texts);
  if (newest === undefined || newest.callsBefore < calls.length)
    return { question: '', isLast: false };
  const last = speech.sentencesOf(speech.withoutCode(newest.text)).at(-1) ?? '';
  return {
    question: /\?[*_`)"']{0,4}$/.test(last) ? last : '',
    isLast: texts.every(
      ({ messageIndex, text }) => messageIndex <= newest.messageIndex || isSilent(text),
    ),
  };
}
