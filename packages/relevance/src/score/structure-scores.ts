import {
  accessEdit,
  accessNone,
  type DocumentColumns,
  type DocumentTable,
  type Newest,
} from '../index/document-table.ts';
import type { FileTable } from '../index/file-table.ts';
import type { RelevanceParts, RelevanceQuery } from '../index/relevance-document.ts';
import type { RelevancePolicy } from '../select/relevance-policy.ts';
import { namedFiles } from '../words/path-names.ts';

/** The parts of a score that need no words of the document. */
export type StructureParts = Pick<RelevanceParts, 'named' | 'activity' | 'recency' | 'fileRead'>;

/** The same for all documents at once, or for one by its ordinal. */
export interface StructureScores {
  /** Adds the sum of each document's parts to its score. */
  addTo(scores: Float64Array): void;
  /** The same for one document, to the last bit. */
  plus(score: number, ordinal: number): number;
  parts(ordinal: number): StructureParts;
}

/** Accesses so many turns ago add nothing that a score could show. */
const maxTurnsAgo = 60;

interface Structure {
  readonly documents: DocumentTable;
  readonly files: FileTable;
  readonly policy: RelevancePolicy;
}

/** What each file's accesses still count: an edit 1, a read .5 by default, halved each turn. */
function fileActivity(
  { documents, files, policy }: Structure,
  query: RelevanceQuery,
): Float64Array {
  const activity = new Float64Array(files.count());
  const { columns } = documents;
  const by = { now: moment(documents, query), outputsPerTurn: policy.outputsPerTurn };
  const from = firstWithin(documents, (ordinal) => turnsAgo(documents, ordinal, by) <= maxTurnsAgo);
  for (let ordinal = from; ordinal < documents.length(); ordinal++) {
    const access = columns.access[ordinal];
    const file = columns.file[ordinal] ?? -1;
    if (access === accessNone || file < 0 || columns.isAlive[ordinal] !== 1) continue;
    const ago = turnsAgo(documents, ordinal, by);
    if (ago > maxTurnsAgo) continue;
    const weight = access === accessEdit ? policy.editActivity : policy.readActivity;
    activity[file] = (activity[file] ?? 0) + weight * (halves[ago] ?? 0.5 ** ago);
  }
  return activity;
}

/**
 * The first document that may be young enough. Where the documents rise by age, only the young ones at the end are looked at;
 * else any may be.
 */
function firstWithin(documents: DocumentTable, isYoung: (ordinal: number) => boolean): number {
  if (!documents.isRising()) return 0;
  let first = documents.length();
  while (first > 0 && isYoung(first - 1)) first--;
  return first;
}

/** Where the prompt stands: as given, else right after the newest document. */
function moment(documents: DocumentTable, query: RelevanceQuery): Newest {
  const newest = documents.newest();
  return { sequence: query.sequence ?? newest.sequence + 1, turn: query.turn ?? newest.turn + 1 };
}

function turnsAgo(
  { columns }: DocumentTable,
  ordinal: number,
  by: { now: Newest; outputsPerTurn: number },
): number {
  const byTurn = by.now.turn - (columns.turn[ordinal] ?? Number.NaN);
  if (!Number.isNaN(byTurn)) return Math.max(0, byTurn);
  const age = by.now.sequence - (columns.sequence[ordinal] ?? Number.NaN);
  return Number.isNaN(age) ? 0 : Math.max(0, Math.floor(age / by.outputsPerTurn));
}

/** .5^n for whole n, so that a pass over all documents calls no power function. */
const halves: Float64Array = Float64Array.from({ length: maxTurnsAgo + 1 }, (_, n) => 0.5 ** n);

/**
 * Weighs what is known of the documents besides their words.
 * Makes one pass over the documents, whatever the prompt.
 */
export function structureScores(structure: Structure, query: RelevanceQuery): StructureScores {
  const { documents, files, policy } = structure;
  const { columns } = documents;
  const activity = fileActivity(structure, query).map(
    (sum) => policy.activityWeight * Math.log2(1 + sum),
  );
  const named = files
    .namedShares(namedFiles(query.text), policy)
    .map((share) => policy.namedWeight * share);
  const now = moment(documents, query).sequence - 1;
  const { byAge, oldest, recencyAt } = recencyByAge(policy);
  const ofFile = named.map((share, file) => share + (activity[file] ?? 0));
  const { fileReadWeight } = policy;
  const parts = (ordinal: number): StructureParts => ({
    named: named[columns.file[ordinal] ?? -1] ?? 0,
    activity: activity[columns.file[ordinal] ?? -1] ?? 0,
    recency: recencyAt(now - (columns.sequence[ordinal] ?? Number.NaN)),
    fileRead: fileReadWeight * (columns.isFileRead[ordinal] ?? 0),
  });
  return {
    parts,
    plus: (score, ordinal) => {
      const { named, activity, recency, fileRead } = parts(ordinal);
      return score + (named + activity + fileRead) + recency;
    },
    addTo: (scores) => {
      addFileScores(scores, columns, { ofFile, fileReadWeight });
      const ageOf = (ordinal: number): number => now - (columns.sequence[ordinal] ?? Number.NaN);
      const from = firstWithin(documents, (ordinal) => ageOf(ordinal) <= oldest);
      addRecency(scores.subarray(from), columns.sequence.subarray(from), {
        now,
        recency: { byAge, oldest, recencyAt },
      });
    },
  };
}

interface FileScores {
  /** What each file's documents get, by number. */
  readonly ofFile: Float64Array;
  readonly fileReadWeight: number;
}

// Functions of their own with nothing but the loop: engines make such fast, and keep them so.

function addFileScores(
  scores: Float64Array,
  { file: files, isFileRead }: DocumentColumns,
  { ofFile, fileReadWeight }: FileScores,
): void {
  for (let ordinal = 0; ordinal < scores.length; ordinal++) {
    const file = files[ordinal] ?? -1;
    const sum = (file < 0 ? 0 : (ofFile[file] ?? 0)) + fileReadWeight * (isFileRead[ordinal] ?? 0);
    scores[ordinal] = (scores[ordinal] ?? 0) + sum;
  }
}

function addRecency(
  scores: Float64Array,
  sequences: Float64Array,
  { now, recency }: { readonly now: number; readonly recency: Recency },
): void {
  const { byAge, oldest, recencyAt } = recency;
  for (let index = 0; index < scores.length; index++) {
    const age = now - (sequences[index] ?? Number.NaN);
    // False for NaN, which is the age of what has no sequence.
    if (age <= oldest) scores[index] = (scores[index] ?? 0) + (byAge[age] ?? recencyAt(age));
  }
}

interface Recency {
  /** By whole ages, as far as it goes. */
  readonly byAge: Float64Array;
  /** 0 beyond this age: it would be too small to matter. */
  readonly oldest: number;
  readonly recencyAt: (age: number) => number;
}

/** Recency by age in outputs, 0 where there is no age. */
function recencyByAge(policy: RelevancePolicy): Recency {
  const exact = (age: number): number => policy.recencyWeight * 0.5 ** (age / policy.ageHalfLife);
  const oldest = 60 * policy.ageHalfLife;
  let byAge = recencyTables.get(policy);
  if (byAge === undefined) {
    const length = Math.min(4_096, Math.ceil(oldest));
    byAge = Float64Array.from({ length }, (_, age) => exact(age));
    recencyTables.set(policy, byAge);
  }
  const recencyAt = (age: number): number => (age <= oldest ? exact(Math.max(0, age)) : 0);
  return { byAge, oldest, recencyAt };
}

/** Recency by whole ages. One policy serves many prompts. */
const recencyTables = new WeakMap<RelevancePolicy, Float64Array>();
