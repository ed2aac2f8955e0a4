/** Gives each file one name, however calls spell it. */
export interface FileNames {
  /** The name of the file: a relative path and an absolute one that ends with it are the same. Costs a look-up. */
  readonly nameOf: (path: string) => string;
}

const lastName = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

function isAbsolute(path: string): boolean {
  return path.startsWith('/') || path.startsWith('~') || /^[A-Za-z]:/.test(path);
}

/** Whether two spellings mean one file: one of them ends with the other, at a slash. */
function isSame(one: string, other: string): boolean {
  if (one === other) return true;
  if (isAbsolute(one) === isAbsolute(other)) return false;
  const [longer, shorter] = isAbsolute(one) ? [one, other] : [other, one];
  return longer.endsWith(`/${shorter}`);
}

/** Starts without any. Where several files end alike, a relative path means the one that was named last. */
export function createFileNames(): FileNames {
  const byLastName = new Map<string, string[]>();
  const known = new Map<string, string>();
  return {
    nameOf: (path) => {
      const before = isAbsolute(path) ? known.get(path) : undefined;
      if (before !== undefined) return before;
      const last = lastName(path);
      const alike = byLastName.get(last) ?? [];
      const name = alike.findLast((other) => isSame(path, other)) ?? path;
      const rest = alike.filter((other) => other !== name);
      byLastName.set(last, [...rest, name]);
      if (isAbsolute(path)) known.set(path, name);
      return name;
    },
  };
}
