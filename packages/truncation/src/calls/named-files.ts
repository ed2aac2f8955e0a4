/** The files that the task and the newest words of the user name. */
export interface NamedFiles {
  takeWords(text: string): void;
  /** Whether a path was named, by itself or by its end. Costs a look-up. */
  has(path: string): boolean;
}

/** What separates words that may be paths. */
const separators = /[^\w.~@+/-]+/;

/** Longest word that is taken for a path, characters. */
const maxPath = 400;

/** Returns the path without the parts that only say where it begins, and without the dots that end a sentence. */
function trimmed(word: string): string {
  let [start, end] = [0, word.length];
  while (end > 0 && (word[end - 1] === '.' || word[end - 1] === '/')) end -= 1;
  for (const lead of ['/', './', '../']) {
    while (word.startsWith(lead, start) && start < end) start += lead.length;
  }
  return word.slice(start, end);
}

/** Whether a word looks like a path, or like the name of a file with an ending. */
function isPathLike(word: string): boolean {
  const ending = word.lastIndexOf('.');
  return (
    word.includes('/') || (ending > 0 && /^[A-Za-z][A-Za-z0-9]{0,7}$/.test(word.slice(ending + 1)))
  );
}

/** Longest words that are looked at, characters: a paste names files that the work is not about. */
const maxWords = 8000;

const lastName = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

function namesIn(text: string): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>();
  for (const word of text.slice(0, maxWords).split(separators)) {
    const path = trimmed(word);
    if (path === '' || path.length > maxPath || !isPathLike(path)) continue;
    const last = lastName(path);
    found.set(last, [...(found.get(last) ?? []), path]);
  }
  return found;
}

const isEnd = (path: string, end: string): boolean => path === end || path.endsWith(`/${end}`);

/** Starts without any: the first words are the task. */
export function createNamedFiles(): NamedFiles {
  let task: ReturnType<typeof namesIn> | undefined;
  let newest: ReturnType<typeof namesIn> = new Map();
  const asked = new Map<string, boolean>();
  const isNamed = (path: string): boolean =>
    [task, newest].some(
      (names) => names?.get(lastName(path))?.some((name) => isEnd(path, name)) ?? false,
    );
  return {
    takeWords: (text) => {
      asked.clear();
      if (task === undefined) task = namesIn(text);
      else newest = namesIn(text);
    },
    has: (path) => {
      const known = asked.get(path) ?? isNamed(path);
      asked.set(path, known);
      return known;
    },
  };
}
