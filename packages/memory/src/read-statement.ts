import { searchWords } from '@ctx/relevance';
import type { FactStatement } from './memory.ts';
import type { ProposedFact } from './observe/observer.ts';
import { rules } from './observe/rules.ts';

/** What is read in a text that is stated outright. */
export type ReadStatement = Partial<ProposedFact> & Pick<ProposedFact, 'text'>;

/** How models tell of the user. */
const ofUser =
  /\b(?:the )?user ((?:no longer|now|also|still) )?(is|has|does|prefers|likes|loves|hates|dislikes|lives|works|uses|speaks|wants|eats|switched|moved)\b/gi;

const irregular: Readonly<Record<string, string>> = { is: 'am', has: 'have', does: 'do' };

/** What a text says of the user, as the user would say it: "The user's name is Ada" is "my name is Ada". */
const asSaidByUser = (text: string): string =>
  text
    .replaceAll(/\b(?:the )?user's (?=[a-z])/gi, 'my ')
    .replaceAll(ofUser, (_, adverb: string | undefined, verb: string) => {
      const plain = irregular[verb.toLowerCase()] ?? verb.replace(/s$/, '');
      return `I ${adverb ?? ''}${plain}`;
    });

/** Whether the parts say all that a text says. */
function coversAll(text: string, parts: readonly ProposedFact[]): boolean {
  const said = new Set(parts.flatMap((part) => searchWords(part.text)));
  return searchWords(text).every((word) => said.has(word));
}

/** Whether a caller left to the rules what a statement is about. */
const isPlain = ({ kind, subject, attribute, pinned, supersedes }: FactStatement): boolean =>
  pinned !== true && [kind, subject, attribute, supersedes].every((one) => one === undefined);

/**
 * What the rules read in a text that is stated outright: the facts that it tells if they say all of it, else the text itself, about the
 * matter of the only one.
 */
export async function readStatement(statement: FactStatement): Promise<readonly ReadStatement[]> {
  const { text } = statement;
  const message = { sequence: 0, speaker: 'user', text: asSaidByUser(text) } as const;
  const found = await rules().observe([message], { signal: new AbortController().signal });
  const [only, another] = found;
  if (only === undefined) return [{ text }];
  if (another === undefined) return [{ ...only, text }];
  if (isPlain(statement) && text === message.text && coversAll(text, found)) return found;
  return [{ kind: only.kind, text }];
}
