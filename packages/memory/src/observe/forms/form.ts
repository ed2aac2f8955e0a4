import type { ProposedFact } from '../observer.ts';

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

/** Words that say that something is so for the moment, or that it is wrong. */
export const notLasting: RegExp =
  /\b(?:in|for|of|on|at|under) (?:this|that|these|those) (?!repo|project|codebase|company|team)|\b(?:in|on) (?:the|your|an?) (?:[\w-]{1,20} )?(?:errors?|logs?|output|messages?|stack ?trace|trace|screenshot|response|examples?|snippet|diff|dump|console|terminal)(?=$|[,.;)])|\((?:deprecated|obsolete|legacy|old|outdated|removed|no longer|not)\b|\b(?:for|right) now\b|\bbut (?:it|that|this|i|we) (?:should|must|needs|has to|ought|was|expected|want|need)\b|\b(?:instead of|rather than) (?:the|what)\b|\b(?:and|but)(?: then)?(?: (?:it|that|this|they|we))? (?:fails?|hangs?|crash(?:es|ed)?|breaks?|broke|should|times? out|(?:is|are) (?:too|not|wrong|broken|blocked)|(?:does|did)(?:n't| not))\b/i;
