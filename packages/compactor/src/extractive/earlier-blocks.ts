import { nothingLine, type SectionTitle, sectionTitles } from '../summary/sections.ts';
import type { SourceBlock, SourceKind } from './source-blocks.ts';

/** Sections of an earlier summary whose lines are the user's own words. */
const userSections: ReadonlySet<string> = new Set<SectionTitle>([
  'Goal',
  'Constraints and preferences',
]);

/** Where a reader stands in a summary. */
interface Place {
  readonly section: string;
  readonly group: string;
  readonly isQuoted: boolean;
}

/**
 * Takes the summary of the compaction before apart, so that its lines compete again with new ones: as the user's, as said, or, where
 * they stood in a quote, as data. Titles, marks and empty sections are left out. Cost: one pass.
 */
export function earlierBlocks(summary: string, age: number): SourceBlock[] {
  const blocks: SourceBlock[] = [];
  let place: Place = { section: '', group: '', isQuoted: false };
  for (const raw of summary.split('\n')) {
    const line = raw.trim();
    const moved = movedTo(line, place);
    if (moved === undefined) {
      const text = place.isQuoted ? line : line.replace(/^- /, '');
      const isEmpty = text === '' || line === nothingLine;
      if (!isEmpty) blocks.push({ kind: kindOf(place), group: place.group, age, lines: [text] });
    }
    place = moved ?? place;
  }
  return blocks;
}

/** The place after a title or a mark; undefined after an ordinary line. */
function movedTo(line: string, place: Place): Place | undefined {
  const isOpening = line.startsWith('<<<data ');
  if (isOpening || /^data \S{1,40}>>>$/.test(line)) {
    return { ...place, isQuoted: isOpening, group: '' };
  }
  if (place.isQuoted)
    return line.startsWith('### ') ? { ...place, group: line.slice(4) } : undefined;
  return line.startsWith('#') ? { ...place, section: titleOf(line) ?? place.section } : undefined;
}

function kindOf({ section, isQuoted }: Place): SourceKind {
  if (isQuoted) return 'earlier';
  return userSections.has(section) ? 'user' : 'assistant';
}

function titleOf(line: string): string | undefined {
  const title = line.replace(/^#{1,4} /, '');
  return sectionTitles.find((known) => known === title);
}
