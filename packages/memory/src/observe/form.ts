import type { ProposedFact } from './observer.ts';

/** What a clause states. */
export type Found = Omit<ProposedFact, 'sequence' | 'quote' | 'text'> & { readonly text?: string };

/** A way of stating something. English. */
export interface Form {
  readonly pattern: RegExp;
  readonly read: (match: RegExpExecArray, clause: string) => Found | undefined;
}

/** What a clause says after the words that a form matches. */
export const after = ({ 0: words, index }: RegExpExecArray, clause: string): string =>
  clause.slice(index + words.length);
