import { speech } from '@ctx/core';
import type { History } from '../history.ts';

/** A sentence or line of what was said, with who said it and when. */
export interface Sentence {
  readonly text: string;
  readonly role: 'user' | 'assistant';
  readonly messageIndex: number;
}

/** The sentences of a conversation that were said, oldest first; code blocks are left out, of the user's messages all that is not their own words. */
export function saidSentences({ texts }: History): Sentence[] {
  return texts.flatMap(({ role, text, messageIndex }) =>
    speech
      .sentencesOf(role === 'user' ? speech.typedText(text) : speech.withoutCode(text))
      .map((sentence) => ({
        text: sentence,
        role,
        messageIndex,
      })),
  );
}
