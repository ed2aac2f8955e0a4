import { speech } from '@ctx/store';
import type { History } from '../history.ts';

/** A sentence or line of what was said, with who said it and when. */
export interface Sentence {
  readonly text: string;
  readonly role: 'user' | 'assistant';
  readonly messageIndex: number;
}

/** What an assistant says itself: what it quotes is another's. */
function ownLines(text: string): string {
  const lines = speech.withoutCode(text).split('\n');
  return lines.filter((line) => !line.trimStart().startsWith('>')).join('\n');
}

/** The sentences of a conversation that were said, oldest first; code blocks are left out, of the user's messages all that is not their own words. */
export function saidSentences({ texts }: History): Sentence[] {
  return texts.flatMap(({ role, text, messageIndex }) =>
    speech
      .sentencesOf(role === 'user' ? speech.typedText(text) : ownLines(text))
      .map((sentence) => ({
        text: sentence,
        role,
        messageIndex,
      })),
  );
}
