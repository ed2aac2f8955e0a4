import type { ToolUseBlock } from '@ctx/core';
import { outputText } from '@ctx/core/encoding';

/** Most words that are remembered of the user, and of the edits of one file; later ones are not. */
const maxWords = 20_000;

/** Words shorter than four signs are in every line. */
const words = /[A-Za-z_$][A-Za-z0-9_$]{3,}/g;

/** The words of a text that may be names in code. Takes linear time. */
export function wordsIn(text: string): string[] {
  return text.match(words) ?? [];
}

/** Tells whether the work is about a word. */
export type IsWorkWord = (word: string) => boolean;

/** Remembers what the user spoke of and what was edited in each file. */
export interface WorkWords {
  takeUserText(text: string): void;
  takeEdit(path: string, call: ToolUseBlock): void;
  /** For the lines of one file. */
  forFile(path: string): IsWorkWord;
}

function addAll(target: Set<string>, text: string): void {
  for (const word of wordsIn(text)) {
    if (target.size >= maxWords) return;
    target.add(word);
  }
}

/** Starts without any. Takes time linear in what it takes. */
export function createWorkWords(): WorkWords {
  const ofUser = new Set<string>();
  const ofEdits = new Map<string, Set<string>>();
  return {
    takeUserText: (text) => {
      addAll(ofUser, text);
    },
    takeEdit: (path, { input }) => {
      const known = ofEdits.get(path) ?? new Set<string>();
      ofEdits.set(path, known);
      addAll(known, outputText(input));
    },
    forFile: (path) => {
      const edited = ofEdits.get(path);
      return (word) => ofUser.has(word) || edited?.has(word) === true;
    },
  };
}
