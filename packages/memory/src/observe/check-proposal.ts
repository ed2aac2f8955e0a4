import { searchWords } from '@ctx/relevance';
import type { FactKind } from '@ctx/store';
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
  text.toLowerCase().replaceAll('’', "'").replace(/\s+/g, ' ').trim();

const numbersIn = (text: string): string[] => text.match(/\d+/g) ?? [];

/** Whether half of the words of a fact, and all of its numbers, stand in what was said. */
function isSaid({ text }: ProposedFact, said: string): boolean {
  const numbers = new Set(numbersIn(said));
  if (numbersIn(text).some((number) => !numbers.has(number))) return false;
  const source = new Set(searchWords(said, { maxCharacters: said.length }));
  const words = searchWords(text).filter((word) => !freeWords.has(word));
  return words.filter((word) => source.has(word)).length * 2 >= words.length;
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
  if (!isSaid(fact, message.text)) return 'it says what its source does not say';
  if (message.speaker !== 'user' && ofTheUser.has(fact.kind)) {
    return `a fact of the kind ${fact.kind} must be said by the user`;
  }
  return undefined;
}
