import type { ToolUseBlock } from '@ctx/core';
import { overlapNotice } from '../leave/stub.ts';
import { lineNumberOf, withoutLineNumber } from './line-diff.ts';
import { type SharedRun, sharedRuns } from './shared-runs.ts';

/** A read of the same file, and what it shows. */
export interface EarlierRead {
  /** Number of its pair. */
  readonly index: number;
  readonly call: ToolUseBlock;
  readonly text: string;
}

/** What is shown of a read whose lines stand in view in part. */
export interface OverlapPlan {
  readonly text: string;
  /** Number of the pair with the lines that are left out. */
  readonly restsOn: number;
}

/** Least share of the earlier read that has to come again: it stays in view as long as what rests on it. */
const minShare = 1 / 3;

interface Overlap {
  readonly read: EarlierRead;
  readonly runs: readonly SharedRun[];
  /** Characters that are left out. */
  readonly size: number;
}

function sizeOf(lines: readonly string[], { start, end }: SharedRun): number {
  return lines.slice(start, end).reduce((sum, line) => sum + line.length + 1, 0);
}

function overlapOf(read: EarlierRead, lines: readonly string[]): Overlap {
  const plain = lines.map(withoutLineNumber);
  const runs = sharedRuns(read.text.split('\n').map(withoutLineNumber), plain);
  return { read, runs, size: runs.reduce((sum, run) => sum + sizeOf(lines, run), 0) };
}

/** Which lines are left out: by their numbers in the file where they bear any, else by their places in the result. */
function nameOf(lines: readonly string[], { start, end }: SharedRun): string {
  const first = lineNumberOf(lines[start] ?? '');
  const last = lineNumberOf(lines[end - 1] ?? '');
  if (first !== undefined && last !== undefined) return `lines ${first} to ${last}`;
  return `lines ${String(start + 1)} to ${String(end)} of this result`;
}

/**
 * Says what is shown of a read that overlaps with another one in view: the lines that only it has, and for the others a line
 * that names them. Of several reads, the one with most of it counts, the newest of equals.
 * Pure; the lines that are left out stand in that read, line for line, numbered or not. Takes time linear in the texts.
 */
export function planOverlap(
  reads: readonly EarlierRead[],
  text: string,
  pointer: string,
): OverlapPlan | undefined {
  if (reads.length === 0) return undefined;
  const lines = text.split('\n');
  let best: Overlap | undefined;
  for (const read of reads) {
    const overlap = overlapOf(read, lines);
    if (overlap.size > (best?.size ?? 0)) best = overlap;
  }
  if (best === undefined || best.size < minShare * best.read.text.length) return undefined;
  const shown: string[] = [];
  let next = 0;
  for (const run of best.runs) {
    const notice = overlapNotice(nameOf(lines, run), best.read.call, pointer);
    shown.push(...lines.slice(next, run.start), notice);
    next = run.end;
  }
  return { text: [...shown, ...lines.slice(next)].join('\n'), restsOn: best.read.index };
}
