import { fingerprintText } from '@ctx/core/encoding';
import type { ClientMessage, Dialect } from '../dialects/dialect.ts';

/** How a conversation begins: up to the user's first words, and up to the model's first answer. */
export interface Beginning {
  /** What it says up to the user's first words, hashed. */
  readonly firstKey: string;
  /** The messages up to the first answer, hashed, that one included. */
  readonly startKeys: readonly string[];
  readonly isAnswered: boolean;
  /** The messages up to the first answer, if they were read for this request. */
  readonly start?: readonly ClientMessage[];
}

/** A beginning that was read, and what it was read from: up to the element behind the first answer. */
interface KnownBeginning {
  readonly dialect: Dialect;
  readonly elements: readonly string[];
  readonly beginning: Beginning;
}

/** Reads how conversations begin; `undefined` for what has no message. */
export type ReadBeginning = (
  dialect: Dialect,
  elements: readonly string[],
) => Beginning | undefined;

/** The messages up to the first answer, and how many elements they are; none if one of them cannot be read. */
function startOf(dialect: Dialect, elements: readonly string[]) {
  const start: ClientMessage[] = [];
  let from = 0;
  while (from < elements.length && start.at(-1)?.message.role !== 'assistant') {
    const length = dialect.lengthOfMessage?.(elements, from) ?? 1;
    const read = dialect.read(elements.slice(from, from + length));
    if (read === undefined) return { start: [], length: 0 };
    start.push(read);
    from += length;
  }
  return { start, length: from };
}

function beginningOf(start: readonly ClientMessage[]): Beginning | undefined {
  const startKeys = start.map(({ key }) => key);
  const first = start.findIndex(({ message }) => message.role !== 'system');
  const [only, ...others] = first < 0 ? startKeys : startKeys.slice(0, first + 1);
  if (only === undefined) return undefined;
  const firstKey = others.length === 0 ? only : fingerprintText([only, ...others].join());
  return { firstKey, startKeys, isAnswered: start.at(-1)?.message.role === 'assistant' };
}

/** Most beginnings that are remembered. */
const remembered = 8;

/** Returns a function that reads beginnings, and those that it read lately once. */
export function createBeginningReader(): ReadBeginning {
  let recent: readonly KnownBeginning[] = [];
  return (dialect, elements) => {
    const known = recent.find(
      (one) =>
        one.dialect === dialect && one.elements.every((text, index) => text === elements[index]),
    );
    if (known !== undefined) return known.beginning;
    const { start, length } = startOf(dialect, elements);
    const beginning = beginningOf(start);
    // The element behind it says where the answer ends.
    if (beginning?.isAnswered === true && length < elements.length) {
      const read = elements.slice(0, length + 1);
      recent = [{ dialect, elements: read, beginning }, ...recent].slice(0, remembered);
    }
    return beginning && { ...beginning, start };
  };
}
