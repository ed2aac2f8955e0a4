/** Steps of a path such as `chapters[*].title`: names, numbers, `*`. */
function stepsOf(path: string): string[] {
  return path
    .replaceAll('[', '.')
    .replaceAll(']', '')
    .split('.')
    .filter((step) => step !== '');
}

function membersAt(value: unknown, step: string): readonly unknown[] {
  if (typeof value !== 'object' || value === null) return [];
  if (step === '*') return Object.values(value);
  const name =
    Array.isArray(value) && step.startsWith('-') ? String(value.length + Number(step)) : step;
  const members: Readonly<Record<string, unknown>> = { ...value };
  return Object.hasOwn(members, name) ? [members[name]] : [];
}

function textOf(value: unknown): string[] {
  if (value === undefined || value === null) return [];
  return [typeof value === 'string' ? value : JSON.stringify(value)];
}

/**
 * The texts of an item that are searched: at the paths given (`title`, `author.name`, `chapters[*].text`), or the whole.
 * What is not there gives no text.
 */
export function textsOfItem(value: unknown, paths: readonly string[] = ['$']): string[] {
  return paths.flatMap((path) => {
    if (path === '$' || path === '') return textOf(value);
    const found = stepsOf(path).reduce<readonly unknown[]>(
      (values, step) => values.flatMap((each) => membersAt(each, step)),
      [value],
    );
    return found.flatMap(textOf);
  });
}
