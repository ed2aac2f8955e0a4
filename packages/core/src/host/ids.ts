/** Gives a new id at each call, matching `^[A-Za-z0-9_][A-Za-z0-9_-]{0,127}$`. Handed in, so that a test can foretell ids. */
export type IdSource = () => string;

/** 64 signs that need no escape in a URL or a file name. */
const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-';
/** 20 signs of 6 bits: 120 random bits. */
const idLength = 20;
/** Random numbers are asked for so many ids at a time: asking costs more than they do. */
const idsAtOnce = 64;

/** Gives random ids of 20 signs, from the platform's secure random numbers. Never begins with `-`. */
export function randomIds(): IdSource {
  const bytes = new Uint8Array(idLength * idsAtOnce);
  let at = bytes.length;
  const next = (): string => {
    if (at === bytes.length) {
      crypto.getRandomValues(bytes);
      at = 0;
    }
    let id = '';
    for (const end = at + idLength; at < end; at += 1) id += alphabet.charAt((bytes[at] ?? 0) & 63);
    return id;
  };
  return () => {
    for (;;) {
      const id = next();
      if (!id.startsWith('-')) return id;
    }
  };
}

/** Gives `prefix1`, `prefix2`, … for tests and replays. */
export function sequenceIds(prefix = 'id'): IdSource {
  let last = 0;
  return () => {
    last += 1;
    return `${prefix}${String(last)}`;
  };
}
