import { trusts } from '@ctx/store';
import { isSlight } from '../../reading/said/requests.ts';
import { linesHeader } from '../../summary/line-header.ts';
import { isQuoteEnd } from '../../summary/quote.ts';
import { nothingLine, type SectionTitle, sectionTitles } from '../../summary/sections.ts';
import { type EarlierGoal, goalLabels } from '../lines/gather-lines.ts';
import {
  type NamesBlock,
  type SourceBlock,
  type SourceKind,
  speakerGroups,
} from '../lines/source-blocks.ts';
import { rootOfLine, withRoot } from './common-root.ts';
import { namesTitle, saidByUser } from './compose-summary.ts';

const constraintsTitle: SectionTitle = 'Constraints and preferences';

/** Sections of an earlier summary whose lines are the user's own words. */
const userSections: ReadonlySet<string> = new Set<SectionTitle>(['Goal', constraintsTitle]);

/** Where a reader stands in a summary. */
interface Place {
  readonly section: string;
  readonly group: string;
  /** The folder from which files are named in this quote. */
  readonly root: string;
  readonly isQuoted: boolean;
  /** Behind the header of a summary in lines: each names who said it. */
  readonly isInLines: boolean;
}

/** A line of a summary and where it stands. */
interface PlacedRow extends Row {
  readonly place: Place;
}

function rowsOf(summary: string): PlacedRow[] {
  const rows: PlacedRow[] = [];
  let place: Place = { section: '', group: '', root: '', isQuoted: false, isInLines: false };
  for (const raw of summary.split('\n')) {
    const line = raw.trim();
    const moved = movedTo(line, place);
    if (moved === undefined && line !== '' && line !== nothingLine) {
      rows.push({ ...(place.isInLines ? readLine(line) : readRow(line, place)), place });
    }
    place = moved ?? place;
  }
  return rows.filter(({ text }) => text !== '');
}

/**
 * Takes the summary of the compaction before apart, so that its lines compete again with new ones: as the user's, as said, or, where
 * they stood in a quote or in the line of a tool, as data. A list of names is names again. Titles, marks and empty sections
 * are left out. Makes one pass.
 */
export function earlierBlocks(summary: string, age: number): (SourceBlock | NamesBlock)[] {
  return rowsOf(summary).map(({ kind, text, place }) => {
    const group = groupOf(kind, place);
    const isList = place.isQuoted && group === namesTitle;
    if (isList) return { kind: 'named', group, age, lines: text.split(' ') };
    return { kind, group, age, lines: [withoutLabel(text, labelsIn(place))] };
  });
}

function groupOf(kind: SourceKind, { group, isQuoted }: Place): string {
  if (isQuoted && group !== '') return group;
  const isSaid = !isQuoted && (kind === 'user' || kind === 'assistant');
  return isSaid ? speakerGroups[kind] : 'in the summary before';
}

/** What an earlier summary names as its goal; empty where it names none. */
export function earlierGoal(summary: string): EarlierGoal {
  const rows = rowsOf(summary)
    .filter(({ place }) => place.section === 'Goal' && !place.isQuoted && !place.isInLines)
    .map(({ text }) => text);
  const requests: string[][] = [];
  for (const row of rows) {
    const isFirst = requests.length === 0;
    if (isFirst || laterLabels.some((label) => row.startsWith(label))) requests.push([]);
    requests.at(-1)?.push(withoutLabel(row, Object.values(goalLabels)));
  }
  const task = requests.slice(1).findLast((lines) => !isSlight(lines.join('\n')));
  return { first: requests[0] ?? [], task: task ?? [] };
}

/** What an earlier summary holds of the user's rules and refusals, one a line. */
export function earlierRules(summary: string): readonly string[] {
  return rowsOf(summary)
    .filter(({ kind, place }) => kind === 'user' && place.section === constraintsTitle)
    .map(({ text }) => text);
}

const laterLabels: readonly string[] = [goalLabels.task, goalLabels.newest];

interface Row {
  readonly kind: SourceKind;
  readonly text: string;
}

/** Labels that ctx put before lines of a section. */
function labelsIn({ section, isQuoted }: Place): readonly string[] {
  return section === 'Goal' && !isQuoted ? Object.values(goalLabels) : [];
}

function withoutLabel(text: string, labels: readonly string[]): string {
  const label = labels.find((one) => text.startsWith(one)) ?? '';
  return text.slice(label.length);
}

const decisionLabels = { user: 'user: ', assistant: 'assistant: ' } as const;

function readRow(line: string, place: Place): Row {
  if (place.isQuoted) return { kind: 'earlier', text: line };
  const text = line.replace(/^- /, '');
  if (place.section !== 'Decisions') return { kind: kindOf(place), text };
  const kind = text.startsWith(decisionLabels.user) ? 'user' : 'assistant';
  return { kind, text: withoutLabel(text, Object.values(decisionLabels)) };
}

/** A line of a summary in lines: `- role: text`. */
function readLine(line: string): Row {
  const colon = line.indexOf(': ');
  if (!line.startsWith('- ') || colon === -1) return { kind: 'assistant', text: line };
  const trust = trusts.ofSource(line.slice(2, colon));
  const text = line.slice(colon + 2);
  if (trust === 'trusted') return { kind: 'user', text };
  return trust === 'derived' ? { kind: 'assistant', text } : { kind: 'earlier', text };
}

/** The place after a title or a mark; undefined after an ordinary line. */
function movedTo(line: string, place: Place): Place | undefined {
  if (line === linesHeader && !place.isQuoted) return { ...place, group: '', isInLines: true };
  const isOpening = line.startsWith('<<<data ');
  if (isOpening || isQuoteEnd(line)) {
    return { ...place, isQuoted: isOpening, group: '', root: '' };
  }
  if (place.isQuoted) return movedInQuote(line, place);
  if (!line.startsWith('#')) return undefined;
  // A title that is not ours ends the section before it: what follows is not the user's goal. Deeper titles are parts of a section.
  const section = titleOf(line) ?? (line.startsWith('## ') ? '' : place.section);
  return { ...place, section, group: line === saidByUser ? line : '', isInLines: false };
}

function movedInQuote(line: string, place: Place): Place | undefined {
  if (!line.startsWith('### ')) return undefined;
  const root = rootOfLine(line);
  if (root !== undefined) return { ...place, root };
  return { ...place, group: withRoot(line.slice(4), place.root) };
}

/** Lines of progress and of files were written by ctx or by a model, not said by a speaker. */
function kindOf({ section, group }: Place): SourceKind {
  const isSaid = section === 'Key facts' && group === saidByUser;
  if (isSaid || userSections.has(section)) return 'user';
  return section === 'Key facts' ? 'assistant' : 'progress';
}

function titleOf(line: string): string | undefined {
  const title = line.replace(/^#{1,4} /, '');
  return sectionTitles.find((known) => known === title);
}
