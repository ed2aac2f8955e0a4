import type { AgentFact } from '@ctx/store';
import { factsOfOwner } from './facts-of-owner.ts';
import { heldAt } from './memory-fact.ts';
import type { MemoryHost } from './memory-host.ts';
import type { EndedFacts, ProposedFact } from './observe/observer.ts';
import { endsRestated } from './restated.ts';

type Statement = Parameters<MemoryHost['store']['facts']['remember']>[0];

/** Facts among which those are looked for that end: those that changed last. */
const mostLooked = 1000;

/** Facts about one matter that are looked at. */
const mostRivals = 100;

/** Whether a fact says these words, in any letter case. */
function says({ text }: Pick<AgentFact, 'text'>, words: string): boolean {
  const [said, looked] = [text.toLowerCase(), words.toLowerCase().trim()];
  for (let at = said.indexOf(looked); at >= 0; at = said.indexOf(looked, at + 1)) {
    const around = [said[at - 1], said[at + looked.length]];
    if (!around.some((one) => one !== undefined && /[\p{L}\d]/u.test(one))) return true;
  }
  return false;
}

/** Whether a name in a text is the beginning of a longer one: "React" in "React Native". */
function goesOn(text: string, name: string): boolean {
  const at = text.toLowerCase().indexOf(name.toLowerCase());
  return at >= 0 && /^ \p{Lu}\p{Ll}/u.test(text.slice(at + name.length));
}

function isMeant({ detail, text }: AgentFact, { subject, attributes, words }: EndedFacts): boolean {
  const { subject: about, attribute = '' } = detail ?? {};
  const isAbout =
    about === subject &&
    attributes.some((one) => attribute === one || attribute.startsWith(`${one} `));
  if (!isAbout || words === undefined) return isAbout;
  return says({ text }, words) && !(subject === 'project' && goesOn(text, words));
}

/** Whether what holds about the matter of a denial is what it denies. */
async function holdsWhat(
  { store }: MemoryHost,
  { agentId, detail }: Statement,
  denied: string,
): Promise<boolean> {
  const { subject, attribute } = detail ?? {};
  if (agentId === undefined || subject === undefined || attribute === undefined) return false;
  const about = { subject, attribute };
  const { entries } = await store.facts.list({ agentId, about, limit: mostRivals });
  const now = store.clock();
  return entries.every((fact) => !heldAt(fact, { now }) || says(fact, denied));
}

/** The text of the fact that ends beside those about the same matter: of several the one that changed last. */
async function textThatEnds(
  { store }: MemoryHost,
  { agentId = '', text, source }: Statement,
  isEnded: (fact: AgentFact) => boolean,
): Promise<string | undefined> {
  const now = store.clock();
  for await (const fact of factsOfOwner(store, agentId, mostLooked)) {
    const mayEnd = fact.text !== text && (source === 'user' || fact.source !== 'user');
    if (mayEnd && heldAt(fact, { now }) && isEnded(fact)) return fact.text;
  }
  return undefined;
}

/** Which facts a statement ends beside those about the same matter. */
function endedBy(
  { text }: Statement,
  ends: EndedFacts | undefined,
): ((fact: AgentFact) => boolean) | undefined {
  if (ends !== undefined) return (fact) => isMeant(fact, ends);
  const isRestated = endsRestated(text);
  return isRestated && ((fact) => isRestated(fact.text));
}

/** Whether something that the user stated holds about the matter of a statement. */
async function isOfUser({ store }: MemoryHost, { agentId, detail }: Statement): Promise<boolean> {
  const { subject, attribute } = detail ?? {};
  if (agentId === undefined || subject === undefined || attribute === undefined) return false;
  const about = { subject, attribute };
  const { entries } = await store.facts.list({ agentId, about, limit: mostRivals });
  const now = store.clock();
  return entries.some((fact) => fact.source === 'user' && heldAt(fact, { now }));
}

/** The statement about nothing that others are about: it ends none of them. */
function withoutMatter(statement: Statement): Statement {
  const {
    subject: _subject,
    attribute: _attribute,
    ...detail
  } = statement.detail ?? {
    ...{ kind: 'preference', confidence: 1 },
  };
  return { ...statement, detail };
}

/** What a statement ends, as it was read. */
export interface Ending extends Pick<ProposedFact, 'ends' | 'denies'> {
  /** Whether the caller named what it is about, and so what it may end. */
  readonly isNamed?: boolean | undefined;
}

/**
 * The statement with what it ends, by what is known. A denial of what nobody stated ends nothing, and what others state ends nothing that
 * the user stated, unless they name it.
 */
export async function withEnded(
  host: MemoryHost,
  statement: Statement,
  { ends, denies, isNamed = false }: Ending,
): Promise<Statement> {
  const isVain =
    (denies !== undefined && !(await holdsWhat(host, statement, denies))) ||
    (!isNamed && statement.source !== 'user' && (await isOfUser(host, statement)));
  const placed = isVain ? withoutMatter(statement) : statement;
  const isEnded = endedBy(statement, ends);
  if (isEnded === undefined || statement.supersedes !== undefined) return placed;
  const supersedes = await textThatEnds(host, statement, isEnded);
  return supersedes === undefined ? placed : { ...placed, supersedes };
}
