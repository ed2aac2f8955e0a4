import { escapeMarks, quoteData } from '../../summary/quote.ts';
import { nothingLine } from '../../summary/sections.ts';
import { fromRoot, rootLine } from './common-root.ts';

/** A line that is quoted under what it came from. */
export interface QuotedLine {
  readonly text: string;
  /** A path, a command, or who said it; '' where that is not known. */
  readonly group: string;
  /** Place among the lines of its group. */
  readonly order: number;
}

/** The chosen lines of a summary, by the part they belong to. */
export interface ChosenParts {
  readonly task: readonly string[];
  /** What the user said when refusing calls. */
  readonly refusals: readonly string[];
  /** What the user said that still holds. */
  readonly userWords: readonly string[];
  /** What they said of a moment, or took back. */
  readonly userSaid: readonly string[];
  readonly decisions: readonly string[];
  /** The files that were edited. */
  readonly edited: readonly string[];
  /** New text of edits. */
  readonly edits: readonly QuotedLine[];
  readonly commands: readonly string[];
  readonly plan: readonly string[];
  readonly tasks: readonly string[];
  readonly next: readonly string[];
  readonly errors: readonly string[];
  readonly facts: readonly string[];
  /** Facts that neither the user nor the assistant stated in their own words. */
  readonly quotedFacts: readonly QuotedLine[];
  readonly files: readonly string[];
  /** Lines that cover what is left, in the order of the choice. */
  readonly covering: readonly QuotedLine[];
  /** Literals that stand in no line. */
  readonly literals: readonly string[];
  /** The folder from which files are named in the quoted part; '' where their names are whole. */
  readonly root: string;
}

/** A summary of nothing. */
export const noParts: ChosenParts = {
  task: [],
  refusals: [],
  userWords: [],
  userSaid: [],
  decisions: [],
  edited: [],
  edits: [],
  commands: [],
  plan: [],
  tasks: [],
  next: [],
  errors: [],
  facts: [],
  quotedFacts: [],
  files: [],
  covering: [],
  literals: [],
  root: '',
};

/** The title of the names that found no place in any line. */
export const namesTitle = 'also named';

/** Stand before what the user said that is no constraint, and before facts that the assistant stated. */
export const saidByUser = '### Said by the user';
const saidByAssistant = '### Said by the assistant';

/** Writes the parts down under the fixed titles; whatever came from tools stands in quotes. */
export function composeSummary(parts: ChosenParts, mark: string): string {
  const quoted = composeQuoted(parts);
  const stated = [saidBy(saidByUser, parts.userSaid), saidBy(saidByAssistant, parts.facts)].flat();
  const facts = [...stated, ...(quoted === '' ? [] : [quoteData(quoted, mark)])];
  return [
    section('## Goal', listed(parts.task)),
    section('## Constraints and preferences', listed([...parts.refusals, ...parts.userWords])),
    section('## Decisions', listed(parts.decisions)),
    '## Progress',
    section('### Done', listed([...parts.edited, ...parts.commands])),
    section('### Doing', listed([...parts.tasks, ...parts.plan.map((line) => `planned: ${line}`)])),
    section('### Blocked', blocked(parts.errors, mark)),
    section('## Next step', listed(parts.next)),
    section('## Key facts', facts.length === 0 ? nothingLine : facts.join('\n')),
    section('## Relevant files', listed(parts.files)),
  ].join('\n');
}

/** The quoted part alone: facts, text of edits and covering lines under what they came from, literals. */
export function composeQuoted({
  quotedFacts,
  edits,
  covering,
  literals,
  root,
}: Pick<ChosenParts, 'quotedFacts' | 'edits' | 'covering' | 'literals' | 'root'>): string {
  const groups = new Map<string, QuotedLine[]>();
  for (const line of [...quotedFacts, ...edits, ...covering]) {
    const group = groups.get(line.group);
    if (group === undefined) groups.set(line.group, [line]);
    else group.push(line);
  }
  const ungrouped = groups.get('') ?? [];
  groups.delete('');
  const texts = (lines: readonly QuotedLine[]): string[] =>
    lines.toSorted((a, b) => a.order - b.order).map(({ text }) => safeTitle(text));
  const names = Array.from(groups.keys(), (group) => fromRoot(group, root));
  return [
    ...texts(ungrouped),
    ...(names.every((name) => groups.has(name)) ? [] : [rootLine(root)]),
    ...Array.from(groups, ([group, lines]) => [
      `### ${fromRoot(group, root)}`,
      ...texts(lines),
    ]).flat(),
    ...(literals.length === 0 ? [] : [`### ${namesTitle}`, literals.join(' ')]),
  ].join('\n');
}

function saidBy(title: string, lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : [title, ...lines.map(safeLine)];
}

function section(title: string, body: string): string {
  return `${title}\n${body}`;
}

function listed(lines: readonly string[]): string {
  return lines.length === 0 ? nothingLine : lines.map(safeLine).join('\n');
}

/** A line that could pass for a title or the end of a quote gets a sign before it; marks in it are broken up. */
function safeLine(line: string): string {
  const text = escapeMarks(line.replace(/[\n\r]+/g, ' '));
  return text.startsWith('data ') ? `- ${text}` : safeTitle(text);
}

/** A line that could pass for a title gets a sign before it. */
function safeTitle(line: string): string {
  return line.startsWith('#') ? `- ${line}` : line;
}

function blocked(errors: readonly string[], mark: string): string {
  return errors.length === 0 ? nothingLine : quoteData(errors.join('\n'), mark);
}
