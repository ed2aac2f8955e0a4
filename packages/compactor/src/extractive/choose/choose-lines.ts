import { approximateTokens } from '@ctx/tokens/approximate';
import type { SourceLine } from '../lines/corpus.ts';
import type { Coverage } from './coverage.ts';
import { createHeap } from './heap.ts';

/** How the greedy choice is bounded. */
export interface ChooseOptions {
  readonly maxTokens: number;
  /** Tokens of a line in the summary. */
  readonly lineTokens: (line: SourceLine) => number;
  /** Tokens that the title of a group takes when its first line comes. */
  readonly groupTokens: (group: string) => number;
  /** Groups whose title stands already. */
  readonly titled: Iterable<string>;
  /** By which factor a line counts. */
  readonly boostOf: (line: SourceLine) => number;
}

/** Lines in a row that may find no room before the choice ends. */
const maxMisses = 40;
/** What a line costs beside its words, so that the shortest do not win by their shortness. Source: `npm run bench -- compaction`. */
const lineOverhead = 5;

/**
 * Chooses lines by what they add for each token, until the budget is full.
 * Deterministic; the sum of the costs stays within the budget. Takes n log n steps in the lines, each looked at a few times; only
 * chosen lines are counted.
 */
export function chooseLines(
  lines: readonly SourceLine[],
  coverage: Coverage,
  { maxTokens, lineTokens, groupTokens, titled, boostOf }: ChooseOptions,
): SourceLine[] {
  const heap = createHeap();
  const costs = new Map(lines.map((line) => [line, approximateTokens(line.text) + lineOverhead]));
  const keyOf = (line: SourceLine): number =>
    (boostOf(line) * coverage.gainOf(line)) / (costs.get(line) ?? 1);
  lines.forEach((line, index) => {
    heap.push(index, keyOf(line));
  });
  const chosen: SourceLine[] = [];
  const groups = new Set(titled);
  let room = maxTokens;
  let misses = 0;
  for (let top = heap.pop(); top !== undefined && misses < maxMisses; top = heap.pop()) {
    const line = lines[top.item];
    const key = line === undefined ? 0 : keyOf(line);
    if (line === undefined || key <= 0) continue;
    if (key < heap.topKey()) {
      heap.push(top.item, key);
      continue;
    }
    const tokens = lineTokens(line) + (groups.has(line.group) ? 0 : groupTokens(line.group));
    if (tokens > room) {
      misses += 1;
      continue;
    }
    room -= tokens;
    misses = 0;
    groups.add(line.group);
    coverage.cover(`${line.group}\n${line.text}`); // Its title stands there, too.
    chosen.push(line);
  }
  return chosen;
}
