import { literalsOf } from '../extractive/lines/literals.ts';
import { callText } from '../reading/call-text.ts';
import type { History } from '../reading/history.ts';

/** Characters of one result that are searched. Cost bound: a longer one is a dump, and what is used of it shows in calls. */
const maxResult = 50_000;

/** Names that could not be guessed: with a digit, an inner capital, an underscore, a path. */
const telling = /\d|_|\p{Ll}\p{Lu}|[/@]|\p{L}\.\p{L}/u;

/**
 * The names, numbers and addresses that a result or the user brought and a later call used, the most used first, then the newest.
 * Takes time linear in the text, and looks at the first 50,000 characters of each result.
 */
export function literalsUsedLater({ calls, texts }: History): string[] {
  const uses = new Map<string, { count: number; last: number }>();
  const brought = new Set<string>();
  const said = texts.filter(({ role }) => role === 'user');
  let next = 0;
  for (const call of calls) {
    for (
      let text = said[next];
      text !== undefined && text.callsBefore <= call.number;
      text = said[next]
    ) {
      addLiterals(text.text, brought);
      next += 1;
    }
    for (const { text } of literalsOf(callText(call.input).slice(0, maxResult))) {
      if (!brought.has(text) || !telling.test(text)) continue;
      const known = uses.get(text);
      uses.set(text, { count: (known?.count ?? 0) + 1, last: call.number });
    }
    addLiterals((call.result ?? '').slice(0, maxResult), brought);
  }
  return Array.from(uses)
    .sort(([, a], [, b]) => b.count - a.count || b.last - a.last)
    .map(([text]) => text);
}

function addLiterals(text: string, into: Set<string>): void {
  for (const line of text.split('\n')) {
    for (const literal of literalsOf(line)) into.add(literal.text);
  }
}
