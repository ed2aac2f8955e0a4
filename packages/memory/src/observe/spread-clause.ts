import { choiceOf, isTool } from './tools.ts';

/** Where something holds: `in production`, `on the server`, `locally`. */
const place =
  "(?:(?:in|on|for|under|during|at) (?:the |our |my )?[\\w.'-]{2,30}(?: [\\w.-]{2,30})?|locally|here|elsewhere|everywhere else)";

/** What is so there: a few words that name no place. */
const value =
  '(?!(?:in|on|for|under|during|at|the|a|an|we|i|it|my|our|port) )[\\w./:@"\'`+#-]+(?: (?!(?:in|on|for|under|during|at) )[\\w./:@"\'`+#-]+){0,2}';

/** How a statement begins of which each place may have its own value. */
const head =
  "(?:(?:the|our|my) (?:[\\w'-]+ ){1,4}?(?:is|are|runs on|runs at|lives at|lives in)(?: now)?(?: at| on(?: port)?)?|(?:the|our|my) (?:[\\w'-]+ ){1,3}?(?:runs|listens) on(?: port)?|(?:we|i)(?:'re| are)? (?:(?:now|always|only|currently) )*(?:use|using|deploy (?:to|on|with)|run (?:on|in)|host (?:on|at|in)|prefer))";

const [headFirst, placeFirst, laterValue, laterPlace] = [
  new RegExp(
    `^(?:(?:and|but|so|now) )?(?<head>${head}) (?<value>${value})(?: (?<place>${place}))?$`,
    'i',
  ),
  new RegExp(
    `^(?:(?:and|but|so|now) )?(?<place>${place}),? (?<head>${head}) (?<value>${value})$`,
    'i',
  ),
  new RegExp(`^(?:(?:it's|it is|is|use) )?(?<value>${value}) (?<place>${place})$`, 'i'),
  new RegExp(`^(?<place>${place}),? (?:(?:it's|it is|is) )?(?<value>${value})$`, 'i'),
];

const uses = /^((?:we|i) (?:(?:now|always|only|currently) )*use) ([\w.+#-]+) and ([\w.+#-]+)$/i;

interface Part {
  readonly place: string;
  readonly value: string;
}

const partOf = ({ place: where = '', value: what = '' }: Record<string, string>): Part => ({
  place: where.slice(0, 1).toLowerCase() + where.slice(1),
  value: what,
});

/** The parts after the first, each with a place of its own; none where one has none. */
function laterParts(texts: readonly string[], isFirstPlaced: boolean): Part[] {
  const parts = texts.map((text) => {
    const after = isFirstPlaced ? laterValue.exec(text) : null;
    const found = laterPlace.exec(text) ?? after;
    return found?.groups && partOf(found.groups);
  });
  return parts.some((part) => part === undefined) ? [] : parts.flatMap((part) => part ?? []);
}

/** "We use TypeScript and pnpm": two things that are used, unless both are of one kind. */
function spreadUses(clause: string): readonly string[] {
  const [, begin = '', one = '', other = ''] = uses.exec(clause) ?? [];
  const kinds = [one, other].map((name) => choiceOf(name));
  const areTools = kinds[0] === undefined && isTool(one) && isTool(other);
  const isOneKind = kinds[0] === kinds[1];
  return isOneKind && !areTools ? [clause] : [`${begin} ${one}`, `${begin} ${other}`];
}

/**
 * Cuts a clause that says what is so in several places into one for each: "the port is 443 in production and 3000 in development".
 * Returns the clause itself where it says one thing.
 */
export function spreadClause(clause: string): readonly string[] {
  const [first = '', ...others] = clause.split(/,? (?:and|but|while) |, /);
  const found = headFirst.exec(first) ?? placeFirst.exec(first);
  if (others.length === 0 || found?.groups === undefined) return spreadUses(clause);
  const part = partOf(found.groups);
  const later = laterParts(others, part.place !== '');
  if (later.length === 0) return spreadUses(clause);
  const begin = found.groups['head'] ?? '';
  return [part, ...later].map((one) => `${begin} ${one.value} ${one.place}`.trim());
}
