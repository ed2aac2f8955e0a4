/**
 * Returns a new id at each call, matching `^[A-Za-z0-9_][A-Za-z0-9_-]{0,127}$`. Handed in, so that a test can predict ids.
 * Pass the creation time as `moment` (ms since the epoch) to get ids that sort by it: they lie together in an index, where
 * random ids would each touch another page.
 */
export type IdSource = (moment?: number) => string;

/** 64 characters that need no escape in a URL or a file name, in the order in which stores sort them. */
const alphabet = '-0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz';
/** 20 characters of 6 bits. */
const idLength = 20;
/** Characters of the creation time: 42 bits, in order until the year 2107. */
const momentSigns = 7;
/** Ids per request of random numbers: a request costs more than the numbers. */
const idsAtOnce = 64;

/** Encodes a time. The first character is never `-`, which would look like an option. */
function signsOf(moment: number): string {
  let rest = moment >= 0 && Number.isFinite(moment) ? Math.floor(moment) : 0;
  let signs = '';
  for (let at = 1; at < momentSigns; at += 1) {
    signs = alphabet.charAt(rest % 64) + signs;
    rest = Math.floor(rest / 64);
  }
  return alphabet.charAt(1 + (rest % 63)) + signs;
}

/**
 * Returns ids of 20 characters from the platform's secure random numbers: 120 random bits, or 78 after the characters of a
 * creation time. An id never begins with `-`.
 */
export function randomIds(): IdSource {
  const bytes = new Uint8Array(idLength * idsAtOnce);
  let at = bytes.length;
  const random = (length: number): string => {
    if (at + length > bytes.length) {
      crypto.getRandomValues(bytes);
      at = 0;
    }
    let signs = '';
    for (const end = at + length; at < end; at += 1)
      signs += alphabet.charAt((bytes[at] ?? 0) & 63);
    return signs;
  };
  return (moment) => {
    if (moment !== undefined) return signsOf(moment) + random(idLength - momentSigns);
    for (;;) {
      const id = random(idLength);
      if (!id.startsWith('-')) return id;
    }
  };
}

/** Returns `prefix1`, `prefix2`, … for tests and replays. */
export function sequenceIds(prefix = 'id'): IdSource {
  let last = 0;
  return () => {
    last += 1;
    return `${prefix}${String(last)}`;
  };
}
