/** The fixed sections of a summary, in their order. */
export const sectionTitles = [
  'Goal',
  'Constraints and preferences',
  'Decisions',
  'Progress',
  'Next step',
  'Key facts',
  'Relevant files',
] as const;

export type SectionTitle = (typeof sectionTitles)[number];

/** The parts of the section Progress. */
export const progressTitles = ['Done', 'Doing', 'Blocked'] as const;

/** Stands in a section that has nothing. */
export const nothingLine = '- none';

/** What is wrong with the sections of a summary, or undefined. Each title stands on its own line, once, in order. */
export function sectionProblem(text: string): string | undefined {
  const found = text.split('\n').flatMap((line) => titleOf(line) ?? []);
  for (const title of sectionTitles) {
    const count = found.filter((other) => other === title).length;
    if (count !== 1) return `section "${title}" stands ${count} times`;
  }
  const isOrdered = found.every((title, index) => title === sectionTitles[index]);
  return isOrdered ? undefined : 'the sections are not in their order';
}

function titleOf(line: string): SectionTitle | undefined {
  if (!line.startsWith('#')) return undefined;
  const title = line
    .replace(/^#{1,4}/, '')
    .trim()
    .replace(/:$/, '')
    .toLowerCase();
  return sectionTitles.find((known) => known.toLowerCase() === title);
}
