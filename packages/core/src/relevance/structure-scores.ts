import { accessEdit, accessNone, type DocumentTable } from './document-table.ts';
import type { FileTable } from './file-table.ts';
import { namedFiles } from './path-names.ts';
import type { RelevanceParts, RelevanceQuery } from './relevance-document.ts';
import type { RelevancePolicy } from './relevance-policy.ts';

/** The parts of a score that need no words of the document. */
export type StructureParts = Pick<RelevanceParts, 'named' | 'activity' | 'recency' | 'fileRead'>;

/** Gives the parts of one document by its ordinal. */
export type StructureScores = (ordinal: number) => StructureParts;

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
  const now = moment(documents, query);
  for (let ordinal = 0; ordinal < documents.length(); ordinal++) {
    const access = columns.access[ordinal];
    const file = columns.file[ordinal] ?? -1;
    if (access === accessNone || file < 0 || columns.isAlive[ordinal] !== 1) continue;
    const ago = turnsAgo(
      { turn: columns.turn[ordinal], sequence: columns.sequence[ordinal] },
      now,
      policy,
    );
    if (ago > maxTurnsAgo) continue;
    const weight = access === accessEdit ? policy.editActivity : policy.readActivity;
    activity[file] = (activity[file] ?? 0) + weight * 0.5 ** ago;
  }
  return activity;
}

interface Moment {
  readonly sequence: number;
  readonly turn: number;
}

/** Where the prompt stands: as given, else right behind the newest document. */
function moment({ columns }: DocumentTable, query: RelevanceQuery): Moment {
  const highest = (values: Float64Array): number => {
    let most = -1;
    for (let ordinal = 0; ordinal < columns.ids.length; ordinal++) {
      const value = values[ordinal] ?? -1;
      // A missing one is NaN, which is never greater.
      if (value > most && columns.isAlive[ordinal] === 1) most = value;
    }
    return most;
  };
  return {
    sequence: query.sequence ?? highest(columns.sequence) + 1,
    turn: query.turn ?? highest(columns.turn) + 1,
  };
}

interface Place {
  readonly turn: number | undefined;
  readonly sequence: number | undefined;
}

function turnsAgo(at: Place, now: Moment, policy: RelevancePolicy): number {
  const byTurn = now.turn - (at.turn ?? Number.NaN);
  if (!Number.isNaN(byTurn)) return Math.max(0, byTurn);
  const bySequence = (now.sequence - (at.sequence ?? Number.NaN)) / policy.outputsPerTurn;
  return Number.isNaN(bySequence) ? 0 : Math.max(0, Math.floor(bySequence));
}

/**
 * Weighs what is known of the documents besides their words.
 * Cost: one pass over the documents, whatever the prompt.
 */
export function structureScores(structure: Structure, query: RelevanceQuery): StructureScores {
  const { documents, files, policy } = structure;
  const { columns } = documents;
  const activity = fileActivity(structure, query);
  const named = files.namedShares(namedFiles(query.text), policy);
  const now = moment(documents, query);
  return (ordinal) => {
    const file = columns.file[ordinal] ?? -1;
    const age = Math.max(0, now.sequence - 1 - (columns.sequence[ordinal] ?? Number.NaN));
    return {
      named: file < 0 ? 0 : policy.namedWeight * (named[file] ?? 0),
      activity: file < 0 ? 0 : policy.activityWeight * Math.log2(1 + (activity[file] ?? 0)),
      recency: Number.isNaN(age) ? 0 : policy.recencyWeight * 0.5 ** (age / policy.ageHalfLife),
      fileRead: columns.isFileRead[ordinal] === 1 ? policy.fileReadWeight : 0,
    };
  };
}
