const syllables = 'ba co di fe gu ha jo ki lu me na po qui ra si ta un ve wa xo ya zu ex in'.split(
  ' ',
);

/** A vocabulary of 20,000 words, as large as that of a big repository. */
const vocabulary: readonly string[] = Array.from({ length: 20_000 }, (_, index) => {
  const digits = index.toString(24).padStart(3, '0').split('');
  return digits.map((digit) => syllables[Number.parseInt(digit, 24)] ?? '').join('');
});

/** 32 KB of words, common ones often as in real text, another text each time. */
export function textOf(index: number): string {
  let state = index + 1;
  let text = '';
  while (text.length < 32_768) {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    const share = state / 2_147_483_648;
    const word = vocabulary[Math.floor(vocabulary.length ** share)] ?? '';
    text += state % 11 === 0 ? `${word}\n` : `${word} `;
  }
  return text.slice(0, 32_768);
}
