import type { MemoryFact } from './memory-fact.ts';

/** What a prompt needs first. */
const kinds: readonly MemoryFact['kind'][] = [
  'constraint',
  'preference',
  'identity',
  'decision',
  'environment',
  'event',
];

const rankOf = ({ pinned, kind }: MemoryFact): number => (pinned ? -1 : kinds.indexOf(kind));

const dayOf = (time: number): string => new Date(time).toISOString().slice(0, 10);

/** One fact as data: what another source than the user said is quoted under its name. */
function lineOf({ text, source, validFrom }: MemoryFact): string {
  const said = text.replace(/\s+/g, ' ');
  const words = source === 'user' ? said : `${JSON.stringify(said)} (${source})`;
  return `- ${dayOf(validFrom)} ${words}`;
}

/** Chooses the facts that fit, rules first, then the newest; writes them in an order that stays. */
export function promptBlock(
  facts: readonly MemoryFact[],
  { maxTokens, countTokens }: { maxTokens: number; countTokens: (text: string) => number },
): string {
  const title = 'Known from earlier:';
  let left = maxTokens - countTokens(title);
  const chosen = [...facts]
    .sort((a, b) => rankOf(a) - rankOf(b) || b.validFrom - a.validFrom || (a.id < b.id ? -1 : 1))
    .filter((fact) => {
      const tokens = countTokens(`\n${lineOf(fact)}`);
      if (tokens > left) return false;
      left -= tokens;
      return true;
    })
    .sort((a, b) => rankOf(a) - rankOf(b) || a.validFrom - b.validFrom || (a.id < b.id ? -1 : 1));
  return chosen.length === 0 ? '' : [title, ...chosen.map(lineOf)].join('\n');
}
