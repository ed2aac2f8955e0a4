/** The text between quotes at the beginning of a value; `undefined` if there is none. */
function quotedText(value: string): string | undefined {
  const [quote = ''] = value;
  if (quote !== '"' && quote !== "'") return undefined;
  const end = value.indexOf(quote, 1);
  return end < 0 ? undefined : value.slice(1, end);
}

/** The names that lead to a value, joined by dots, without quotes. */
function pathOf(name: string): string {
  const names = name.split('.').map((part) => part.trim());
  return names.map((part) => quotedText(part) ?? part).join('.');
}

/** The texts in a TOML file that stand on one line, by their path, such as `model_providers.x.base_url`. Everything else is left out. */
export function tomlTexts(text: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  let table = '';
  for (const line of text.split('\n').map((one) => one.trim())) {
    if (line.startsWith('[')) {
      const end = line.indexOf(']');
      table = end < 0 ? '' : `${pathOf(line.slice(1, end))}.`;
      continue;
    }
    const at = line.indexOf('=');
    const value = at < 1 ? undefined : quotedText(line.slice(at + 1).trim());
    if (value !== undefined) found.set(table + pathOf(line.slice(0, at)), value);
  }
  return found;
}
