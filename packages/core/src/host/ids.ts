/**
 * Gives a new id at each call, matching `^[A-Za-z0-9_][A-Za-z0-9_-]{0,127}$`. Handed in, so that a test can foretell ids.
 * `moment`: when what it names came to be, ms since the epoch. A source may let its ids rise with it: those of one time then lie
 * together in a store, where random ones touch another page of its index each.
 */
export type IdSource = (moment?: number) => string;

/** 64 signs that need no escape in a URL or a file name, in the order in which stores sort them. */
const alphabet = '-0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz';
/** 20 signs of 6 bits. */
const idLength = 20;
/** Signs of the moment: 42 bits, whose order holds until the year 2107. */
const momentSigns = 7;
/** Random numbers are asked for so many ids at a time: asking costs more than they do. */
const idsAtOnce = 64;

/** The signs of a moment. The first is none of `-`, which would look like an option. */
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
 * Gives ids of 20 signs from the platform's secure random numbers: 120 random bits or, behind the signs of a moment, 78. Never begins
 * with `-`.
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

/** Gives `prefix1`, `prefix2`, … for tests and replays. */
export function sequenceIds(prefix = 'id'): IdSource {
  let last = 0;
  return () => {
    last += 1;
    return `${prefix}${String(last)}`;
  };
}
