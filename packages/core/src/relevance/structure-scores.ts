import { accessEdit, accessNone, type DocumentTable, type Newest } from './document-table.ts';
import type { FileTable } from './file-table.ts';
import { namedFiles } from './path-names.ts';
import type { RelevanceParts, RelevanceQuery } from './relevance-document.ts';
import type { RelevancePolicy } from './relevance-policy.ts';

/** The parts of a score that need no words of the document. */
export type StructureParts = Pick<RelevanceParts, 'named' | 'activity' | 'recency' | 'fileRead'>;

/** The same for all documents at once, or for one by its ordinal. */
export interface StructureScores {
  /** Adds the sum of each document's parts to its score. */
  addTo(scores: Float64Array): void;
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
  for (let ordinal = 0; ordinal < documents.length(); ordinal++) {
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

/** Where the prompt stands: as given, else right behind the newest document. */
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
 * Cost: one pass over the documents, whatever the prompt.
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
  const recency = recencyByAge(policy);
  const now = moment(documents, query);
  const recencyOf = (ordinal: number): number =>
    recency(now.sequence - 1 - (columns.sequence[ordinal] ?? Number.NaN));
  const addTo = (scores: Float64Array): void => {
    const ofFile = named.map((share, file) => share + (activity[file] ?? 0));
    const { file: files, isFileRead } = columns;
    for (let ordinal = 0; ordinal < scores.length; ordinal++) {
      const file = files[ordinal] ?? -1;
      const sum =
        (file < 0 ? 0 : (ofFile[file] ?? 0)) + policy.fileReadWeight * (isFileRead[ordinal] ?? 0);
      scores[ordinal] = (scores[ordinal] ?? 0) + sum + recencyOf(ordinal);
    }
  };
  return {
    addTo,
    parts: (ordinal) => ({
      named: named[columns.file[ordinal] ?? -1] ?? 0,
      activity: activity[columns.file[ordinal] ?? -1] ?? 0,
      recency: recencyOf(ordinal),
      fileRead: policy.fileReadWeight * (columns.isFileRead[ordinal] ?? 0),
    }),
  };
}

/** Recency by age in outputs, 0 where there is no age and where it would be too small to matter. */
function recencyByAge(policy: RelevancePolicy): (age: number) => number {
  const exact = (age: number): number => policy.recencyWeight * 0.5 ** (age / policy.ageHalfLife);
  const oldest = 60 * policy.ageHalfLife;
  let table = recencyTables.get(policy);
  if (table === undefined) {
    table = Float64Array.from({ length: Math.min(4_096, Math.ceil(oldest)) }, (_, age) =>
      exact(age),
    );
    recencyTables.set(policy, table);
  }
  const byAge = table;
  // False for NaN, which is the age of what has no sequence.
  return (age) => (age <= oldest ? (byAge[age] ?? exact(Math.max(0, age))) : 0);
}

/** Recency by whole ages. One policy serves many prompts. */
const recencyTables = new WeakMap<RelevancePolicy, Float64Array>();
