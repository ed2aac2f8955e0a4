import type { ContentBlock, Message } from '@ctx/core';
import { textOfBlock } from '@ctx/truncation';

/** What answers named. Sums over the first uses of identifiers that only tool results had shown before. */
export interface NameTotal {
  /** First uses. */
  readonly used: number;
  /** Of these, those whose identifier stood in the request. */
  readonly inView: number;
}

/** Shorter words are seldom telling. */
const minLength = 6;

/** A run of the signs that identifiers are made of; what it is made of is judged afterwards. */
const wordRuns = /[A-Za-z0-9_$]+/g;

/** Whether a word looks like an identifier and not like one of a sentence: it has an underscore, a digit or an inner capital. */
function isIdentifier(word: string): boolean {
  if (word.length < minLength || /^[0-9]/.test(word)) return false;
  const isAllCapitals = word === word.toUpperCase();
  return /[_$0-9]/.test(word) || (/[A-Z]/.test(word.slice(1)) && !isAllCapitals);
}

/** The identifiers in a text, each once. Takes linear time. */
export function identifiersIn(text: string): Set<string> {
  return new Set((text.match(wordRuns) ?? []).filter(isIdentifier));
}

/** Finds the identifiers that answers owe to tool results. */
export interface NameMeter {
  /** Takes the next message of the session. */
  take(message: Message): void;
  /** Identifiers in an answer that no text and no call held before, but a tool result did; each once in a session. */
  needsOf(answer: readonly Message[]): string[];
  /** How many of these stand in the request. */
  inView(names: readonly string[], request: readonly Message[]): number;
}

/** Makes a meter for one session with its system prompt. Looks through each block once; a need costs one look-up a block. */
export function createNameMeter(system = ''): NameMeter {
  const known = new WeakMap<ContentBlock, ReadonlySet<string>>();
  const said = identifiersIn(system);
  const shown = new Set<string>();
  const namesOf = (block: ContentBlock): ReadonlySet<string> => {
    const found = known.get(block) ?? identifiersIn(textOfBlock(block));
    known.set(block, found);
    return found;
  };
  return {
    take: ({ content }) => {
      for (const block of content) {
        const target = block.type === 'tool_result' ? shown : said;
        for (const name of namesOf(block)) target.add(name);
      }
    },
    needsOf: (answer) => {
      const names = answer.flatMap(({ content }) =>
        content.flatMap((block) => [...namesOf(block)]),
      );
      return [...new Set(names)].filter((name) => shown.has(name) && !said.has(name));
    },
    inView: (names, request) => {
      let missing = [...names];
      for (const block of request.flatMap(({ content }) => content)) {
        const held = namesOf(block);
        missing = missing.filter((name) => !held.has(name));
        if (missing.length === 0) break;
      }
      return names.length - missing.length;
    },
  };
}
