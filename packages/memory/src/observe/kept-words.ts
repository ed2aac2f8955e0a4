/** How people ask in other languages to keep something, before what it is. */
const before = [
  'merke? dir(?: bitte)?|denk(?:e)? (?:bitte )?daran|vergiss (?:bitte )?nicht', // German
  "souviens-toi|rappelle-toi|retiens(?: bien)?|note bien|noublie pas|n'oublie pas", // French
  'recuerda|ten en cuenta|no olvides', // Spanish
  'lembre-se|lembra-te|não esqueças?', // Portuguese
  'ricorda(?:ti)?|tieni a mente', // Italian
  'onthoud', // Dutch
].join('|');

const european = new RegExp(
  `^(?:(?:bitte|por favor|s'il te plaît|per favore),? )?(?:${before})(?:,? (?:dass|que|qu'|che|dat) ?|: ?)(?=\\S+ \\S)`,
  'i',
);

/** The same before and after it, in Chinese, Japanese and Korean. */
const [eastBefore, eastAfter] = [
  /^(?:请|請)?(?:你)?(?:记住|記住|记得|記得|覚えておいて(?:ください)?|기억해(?:줘|\s?주세요)?)[:：,，、]?\s*/,
  /(?:ということ)?(?:と|を)覚えておいて(?:ください|ね)?$/,
];

const asks = /[?？]\s*$/;

/** What users ask to remember in another language than English, in their words; `undefined` where the form is not certain. */
export function keptWords(clause: string): string | undefined {
  const said = clause.replace(/(?<![\s.!。！])[\s.!。！]+$/u, '');
  if (asks.test(said)) return undefined;
  const [words] = european.exec(said) ?? [];
  if (words !== undefined) return said.slice(words.length);
  const told = said.replace(eastBefore, '');
  const isAsked = told !== said || eastAfter.test(said);
  return isAsked && Array.from(told.replace(eastAfter, '')).length >= 5 ? told : undefined;
}
