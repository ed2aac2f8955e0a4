import { createLiteralTable, type LiteralTable } from './literal-table.ts';
import type { NamesBlock, SourceBlock, SourceKind } from './source-blocks.ts';

/** A line that may enter the summary. Equal lines are one, with the newest place. */
export interface SourceLine {
  readonly text: string;
  readonly kind: SourceKind;
  readonly group: string;
  /** Calls made since it last appeared. */
  readonly age: number;
  /** Position of the last appearance. */
  readonly order: number;
  /** Numbers of its literals in the corpus. */
  readonly literals: readonly number[];
}

/** All lines of a conversation and what their literals are worth. */
export interface Corpus {
  readonly lines: readonly SourceLine[];
  readonly names: readonly string[];
  /** What each literal is worth for what comes next. */
  readonly values: Float64Array;
  /** How rare each literal is, whatever its age. */
  readonly rarity: Float64Array;
  /** The numbers of the literals of any text, as far as the conversation has them. */
  readonly literalsIn: (text: string) => readonly number[];
}

/** What an appearance weighs, by where it stands. Source: design. */
const kindWeights: Readonly<Record<SourceKind | NamesBlock['kind'], number>> = {
  call: 3,
  user: 2,
  pasted: 1,
  assistant: 2,
  result: 0.3,
  // It was chosen before, so it was worth more than an ordinary result.
  earlier: 2,
  progress: 2,
  named: 2,
};

/** Calls after which an appearance weighs half, and what the share of age never falls below. */
const halfLifeCalls = 8;
const ageFloor = 0.1;

/**
 * What an appearance in a task that is still to be done weighs, almost as much as in four calls made just now: it says what comes next.
 * Source: `npm run bench -- compaction`, November 2026; much the same from 10 to 16.
 */
const aheadMass = 12;

/** Collects the lines and literals of a conversation; `ahead` are the tasks that are still open. Takes time linear in the text. */
export function createCorpus(
  blocks: readonly (SourceBlock | NamesBlock)[],
  ahead: readonly string[] = [],
): Corpus {
  const table = createLiteralTable();
  const lines = new Map<string, SourceLine>();
  let order = 0;
  blocks.forEach((block, index) => {
    const mass = kindWeights[block.kind] * (0.5 ** (block.age / halfLifeCalls) + ageFloor);
    if (block.kind === 'named') {
      for (const literal of block.lines.flatMap(table.enter)) table.appear(literal, index, mass);
      return;
    }
    for (const text of block.lines) {
      order += 1;
      const line = mergeLine(lines.get(text), { text, block, order, table });
      lines.set(text, line);
      for (const literal of line.literals) table.appear(literal, index, mass);
    }
  });
  ahead.forEach((text, index) => {
    for (const literal of table.find(text)) table.appear(literal, blocks.length + index, aheadMass);
  });
  return {
    lines: [...lines.values()],
    names: table.names(),
    values: table.values(blocks.length),
    rarity: table.rarity(blocks.length),
    literalsIn: table.find,
  };
}

interface Appearance {
  readonly text: string;
  readonly block: SourceBlock;
  readonly order: number;
  readonly table: LiteralTable;
}

/** What a person or the assistant said stays theirs, also where a tool repeats it. */
function mergeLine(
  known: SourceLine | undefined,
  { text, block, order, table }: Appearance,
): SourceLine {
  const literals = known?.literals ?? table.enter(text);
  const isEcho = known !== undefined && block.kind === 'result';
  const kind = isEcho ? known.kind : block.kind;
  const group = block.group === '' ? (known?.group ?? '') : block.group;
  return { text, kind, group, age: block.age, order, literals };
}
