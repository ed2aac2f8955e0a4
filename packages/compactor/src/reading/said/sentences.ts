import type { History } from '../history.ts';
import { typedText, withoutCode } from './typed-text.ts';

/** A sentence or line of what was said, with who said it and when. */
export interface Sentence {
  readonly text: string;
  readonly role: 'user' | 'assistant';
  readonly messageIndex: number;
}

/** Longest sentence, characters; longer ones are no sentences. */
const maxSentence = 400;

/** Cuts a text at line ends and after full stops, without list signs. Cost: linear. */
export function sentencesOf(text: string): string[] {
  return text
    .split('\n')
    .flatMap((line) => line.split(/(?<=[.!?]) (?=[\p{Lu}\d"'`])/u))
    .map((sentence) =>
      sentence
        .trim()
        .replace(/^(?:[-*•>] |#{1,6} |\d{1,3}[.)] )/, '')
        .trim(),
    )
    .filter((sentence) => sentence.length > 3 && sentence.length <= maxSentence);
}

/** The sentences of a conversation that were said, oldest first; code blocks are left out, of the user's messages all that is not their own words. */
export function saidSentences({ texts }: History): Sentence[] {
  return texts.flatMap(({ role, text, messageIndex }) =>
    sentencesOf(role === 'user' ? typedText(text) : withoutCode(text)).map((sentence) => ({
      text: sentence,
      role,
      messageIndex,
    })),
  );
}
