import { CtxError } from '@ctx/core';

/** The sections of a summary, in their order, where a summariser names no others. */
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

/** Bounds of a team's own sections: enough for any format, and a title is one line. */
const mostSections = 30;
const longestTitle = 100;

/**
 * Checks the sections that a team wants in its summaries.
 * @throws `CTX_INVALID_OPTION` for none or more than 30, and for a title that is empty, longer than 100 characters, more than one line,
 * begins with `#`, ends with `:`, or stands twice in any letter case.
 */
export function checkSections(sections: readonly string[]): readonly string[] {
  const refuse = (what: string): never => {
    throw new CtxError('CTX_INVALID_OPTION', `sections: ${what}`);
  };
  if (!Array.isArray(sections)) refuse('a list of titles is needed');
  if (sections.length === 0 || sections.length > mostSections) {
    refuse(`1 to ${mostSections} titles are needed, not ${sections.length}`);
  }
  for (const title of sections) {
    const isPlain = typeof title === 'string' && /^[^\s#](?:[^\n\r]*[^\s:])?$/.test(title);
    if (!isPlain || title.length > longestTitle) {
      refuse(`${JSON.stringify(title)} is no title of one line without # and closing colon`);
    }
  }
  const distinct = new Set(sections.map((title) => title.toLowerCase()));
  if (distinct.size < sections.length) refuse('a title stands twice');
  return [...sections];
}

/** What is wrong with the sections of a summary, or undefined. Each title stands on its own line, once, in order. */
export function sectionProblem(
  text: string,
  titles: readonly string[] = sectionTitles,
): string | undefined {
  const found = text.split('\n').flatMap((line) => titleOf(line, titles) ?? []);
  for (const title of titles) {
    const count = found.filter((other) => other === title).length;
    if (count !== 1) return `section "${title}" stands ${count} times`;
  }
  const isOrdered = found.every((title, index) => title === titles[index]);
  return isOrdered ? undefined : 'the sections are not in their order';
}

function titleOf(line: string, titles: readonly string[]): string | undefined {
  if (!line.startsWith('#')) return undefined;
  const title = line
    .replace(/^#{1,4}/, '')
    .trim()
    .replace(/:$/, '')
    .toLowerCase();
  return titles.find((known) => known.toLowerCase() === title);
}
