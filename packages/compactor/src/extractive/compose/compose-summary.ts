import { escapeMarks, quoteData } from '../../summary/quote.ts';
import { nothingLine } from '../../summary/sections.ts';
import type { SourceLine } from '../lines/corpus.ts';
import { fromRoot, rootLine } from './common-root.ts';

/** The chosen lines of a summary, by the part they belong to. */
export interface ChosenParts {
  readonly task: readonly string[];
  readonly userWords: readonly string[];
  readonly decisions: readonly string[];
  readonly edits: readonly string[];
  readonly commands: readonly string[];
  readonly plan: readonly string[];
  readonly tasks: readonly string[];
  readonly errors: readonly string[];
  readonly facts: readonly string[];
  /** Facts that stood in the results of tools. */
  readonly quotedFacts: readonly string[];
  readonly files: readonly string[];
  /** Lines that cover what is left, in the order of the choice. */
  readonly covering: readonly SourceLine[];
  /** Literals that stand in no line. */
  readonly literals: readonly string[];
  /** The folder from which files are named in the quoted part; '' where their names are whole. */
  readonly root: string;
}

/** A summary of nothing. */
export const noParts: ChosenParts = {
  task: [],
  userWords: [],
  decisions: [],
  edits: [],
  commands: [],
  plan: [],
  tasks: [],
  errors: [],
  facts: [],
  quotedFacts: [],
  files: [],
  covering: [],
  literals: [],
  root: '',
};

/** Writes the parts down under the fixed titles; whatever came from tools stands in quotes. */
export function composeSummary(parts: ChosenParts, mark: string): string {
  const quoted = composeQuoted(parts);
  const facts = [...parts.facts.map(safeLine), ...(quoted === '' ? [] : [quoteData(quoted, mark)])];
  return [
    section('## Goal', listed(parts.task)),
    section('## Constraints and preferences', listed(parts.userWords)),
    section('## Decisions', listed(parts.decisions)),
    '## Progress',
    section('### Done', listed([...parts.edits, ...parts.commands])),
    section('### Doing', listed([...parts.plan, ...parts.tasks])),
    section('### Blocked', blocked(parts.errors, mark)),
    section('## Next step', listed(parts.tasks.slice(0, 1))),
    section('## Key facts', facts.length === 0 ? nothingLine : facts.join('\n')),
    section('## Relevant files', listed(parts.files)),
  ].join('\n');
}

/** The quoted part alone: facts of tools, covering lines under what they came from, literals. */
export function composeQuoted({
  quotedFacts,
  covering,
  literals,
  root,
}: Pick<ChosenParts, 'quotedFacts' | 'covering' | 'literals' | 'root'>): string {
  const groups = new Map<string, SourceLine[]>();
  for (const line of covering) {
    const group = groups.get(line.group);
    if (group === undefined) groups.set(line.group, [line]);
    else group.push(line);
  }
  const ungrouped = groups.get('') ?? [];
  groups.delete('');
  const texts = (lines: readonly SourceLine[]): string[] =>
    lines.toSorted((a, b) => a.order - b.order).map(({ text }) => safeTitle(text));
  const names = Array.from(groups.keys(), (group) => fromRoot(group, root));
  return [
    ...quotedFacts.map(safeTitle),
    ...texts(ungrouped),
    ...(names.every((name) => groups.has(name)) ? [] : [rootLine(root)]),
    ...Array.from(groups, ([group, lines]) => [
      `### ${fromRoot(group, root)}`,
      ...texts(lines),
    ]).flat(),
    ...(literals.length === 0 ? [] : [`### also named`, literals.join(' ')]),
  ].join('\n');
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
