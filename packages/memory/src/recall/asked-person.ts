import { searchWords } from '@ctx/relevance';
import type { AgentFact } from '@ctx/store';
import { questionsIn } from './asked-matter.ts';

/** What people do of which memories tell. */
const does =
  'prefer|like|love|hate|dislike|want|live|work|use|eat|drink|speak|write|own|have|need|think|do|drive|play|study|read|favou?r|enjoy|deploy|run|go|come|know|say|come';

/** Others of whom users speak. */
export const others =
  'boss|manager|lead|colleague|coworker|co-worker|friend|wife|husband|partner|brother|sister|mother|father|mom|mum|dad|son|daughter|child|neighbou?r|teammate|client|customer|cat|dog|reviewer|teacher|student|roommate|girlfriend|boyfriend|ceo|cto|designer|assistant';

/** Words that stand where a name could, and name nobody. */
const noName =
  /^(?:i|you|he|she|it|we|they|the|a|an|this|that|these|those|my|our|your|his|her|their|its|user|users|everyone|anyone|someone|who|what|there|one|people)$/i;

/** Ways to ask about a person; the group holds the name. */
const ways: readonly RegExp[] = [
  new RegExp(
    `\\b(?:does|did|do|has|can|would|will) (?<name>[\\p{L}-]{2,40}) (?:(?:still|usually|always|really|ever|also|now|currently) )?(?:${does})\\b`,
    'iu',
  ),
  /(?:^|[^\p{L}-])(?<name>[\p{L}-]{2,40})(?:'s|’s) \p{L}/u,
  new RegExp(`\\b(?:my|our|his|her|their|the user's) (?<name>${others})\\b(?!'s? name)`, 'iu'),
  new RegExp(
    `(?<![\\p{L}-])(?<name>\\p{Lu}[\\p{L}-]{1,40}) (?:(?:still|usually|always|really|also|now) )?(?:${does})s\\b`,
    'u',
  ),
  /\b(?:is|was|about|of|for|by|with) (?<name>\p{Lu}\p{Ll}[\p{L}-]{0,40})(?= |[?.!]*$)/u,
];

/** What another person does: `Sam lives in Oslo`. */
const doneByAnother = new RegExp(
  `^(?:(?!User|The|My|Our)\\p{Lu}\\p{Ll}+'s |(?:\\p{Lu}\\p{Ll}+|[Mm]y (?:${others})(?: \\p{Lu}\\p{Ll}+)?) (?:(?:still|usually|always|really|also|now) )?(?:${does})s\\b)`,
  'u',
);

/** Other words that stand before 's. */
const notOwners =
  /^(?:what|who|where|when|how|let|that|it|here|there|he|she|today|yesterday|tomorrow|user|users|project|team|app|api|server|repo|company)$/i;

/** Whom a query asks about beside the user, by the name or word that it uses; `undefined` where it names nobody. */
function personIn(query: string): string | undefined {
  for (const way of ways) {
    const name = way.exec(query)?.groups?.['name'];
    if (name !== undefined && !noName.test(name) && !notOwners.test(name)) return name;
  }
  return undefined;
}

/** Whether a fact speaks of the user in the first person. */
const isOfUser = ({ text, detail }: AgentFact): boolean =>
  detail?.subject === 'user' || /\b(?:I|my|I'm|me|the user)\b/i.test(text);

/** Queries about the user alone. */
const ofUserOnly =
  /\b(?:do|did|am|was|have|can|should|would|could) I\b|\b(?:does|is|has|did|was) the user\b|\b(?:my|the user's) \w/i;

/** Whether a fact says what another person does or likes. */
const isOfAnother = (fact: AgentFact): boolean =>
  fact.detail?.subject !== 'user' && doneByAnother.test(fact.text);

const wordSet = (text: string): Set<string> => new Set(searchWords(text));

/** Whether facts call the user, or the memory's owner, by a name. */
function isUser(name: string, facts: readonly AgentFact[], owners: readonly string[]): boolean {
  const [word = name.toLowerCase()] = searchWords(name);
  const named = facts.filter(
    ({ detail }) => detail?.subject === 'user' && detail.attribute === 'name',
  );
  return [...named.map(({ text }) => text), ...owners].some((text) => wordSet(text).has(word));
}

/** Picks the facts that can answer a query: what users say about themselves does not answer for others. */
export function answersFor(
  query: string,
  facts: readonly AgentFact[],
  owners: readonly string[],
): (fact: AgentFact) => boolean {
  const name = personIn(query);
  const isAboutUser = name === undefined ? ofUserOnly.test(query) : isUser(name, facts, owners);
  // "Where does Sam live" asks for nothing of the project, though its tests live somewhere, too.
  const isPersonal = questionsIn(query).some(({ subject }) => subject === 'user');
  const isElse = (fact: AgentFact): boolean => isPersonal && fact.detail?.subject === 'project';
  if (isAboutUser) return (fact) => !isOfAnother(fact) && !isElse(fact);
  if (name === undefined) return () => true;
  const [word = name.toLowerCase()] = searchWords(name);
  return (fact) =>
    !(isOfUser(fact) || isOfAnother(fact) || isElse(fact)) ||
    wordSet(`${fact.text} ${fact.detail?.attribute ?? ''}`).has(word);
}
