/** Words of a line as a shell reads them; of what quotes can do, what the page writes. */
export function shellWords(line: string): string[] {
  const words: string[] = [];
  let word: string | undefined;
  let quote = '';
  for (let place = 0; place < line.length; place += 1) {
    const sign = line[place] ?? '';
    if (quote !== '') {
      if (sign === quote) quote = '';
      else word = `${word ?? ''}${sign}`;
    } else if (sign === "'" || sign === '"') {
      quote = sign;
      word ??= '';
    } else if (sign === ' ') {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else {
      place += sign === '\\' ? 1 : 0;
      word = `${word ?? ''}${line[place] ?? ''}`;
    }
  }
  return word === undefined ? words : [...words, word];
}
